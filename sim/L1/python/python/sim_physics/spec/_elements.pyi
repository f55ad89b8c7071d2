"""Written by tools/stubs.py."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._core import MjData, MjModel, MjOption, MjStatistic, MjVisual
from .._enums import *
from ._fields import Field
from ._spec import MjSpec

__all__ = ['MjsActuator', 'MjsCamera', 'MjsCompiler', 'MjsDefault', 'MjsElement', 'MjsEquality', 'MjsExclude', 'MjsFlex', 'MjsGeom', 'MjsHField', 'MjsJoint', 'MjsKey', 'MjsLight', 'MjsMaterial', 'MjsMesh', 'MjsNumeric', 'MjsOrientation', 'MjsPair', 'MjsPlugin', 'MjsSensor', 'MjsSite', 'MjsSkin', 'MjsTendon', 'MjsTendonPath', 'MjsText', 'MjsTexture', 'MjsTuple', 'MjsWrap']

class MjsOrientation:
    """An alternative to a quaternion: ``type`` says which of the vectors is used."""
    def __init__(self, kind: int = ..., values: Any = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __setattr__(self, name: str, value: Any) -> None:
        """Implement setattr(self, name, value)."""
    _entry: Any
    axisangle: Any
    euler: Any
    type: Any
    xyaxes: Any
    zaxis: Any

class MjsElement:
    """An element of a spec. Its fields have the names of MuJoCo's ``mjs`` structs."""
    _kind: Any
    _fields: Any
    def __init__(self, spec: MjSpec | None, values: dict[str, Any] | None = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    _set_entry: Any
    @property
    def _alt(self) -> MjsOrientation:
        """_alt"""
    @property
    def _ialt(self) -> MjsOrientation:
        """_ialt"""
    _copy_values: Any
    _entry: Any
    _set: Any
    _set_alternative: Any
    _options: Any
    _has_plugin: Any
    @property
    def id(self) -> int:
        """Index in the compiled model; -1 before compilation."""
    @property
    def info(self) -> str:
        """Text that error messages about this element contain."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def signature(self) -> int:
        """Signature of the compiled model; 0 before compilation."""
    @property
    def compiler(self) -> MjsCompiler:
        """Compiler settings that apply to this element: those of the spec that it was created in."""
    _alternative: Any
    _class: Any
    _frame: Any
    _id: Any
    _inertial: Any
    _info: Any
    _origin: Any
    _parent: Any
    _plugin: Any
    _scope: Any
    _spec: Any
    _values: Any

class MjsCompiler(MjsElement):
    """Compiler settings."""
    _kind: Any
    _fields: Any
    @property
    def autolimits(self) -> int:
        """Field ``autolimits`` of a compiler."""
    @autolimits.setter
    def autolimits(self, value: Any) -> None: ...
    @property
    def boundmass(self) -> float:
        """Field ``boundmass`` of a compiler."""
    @boundmass.setter
    def boundmass(self, value: Any) -> None: ...
    @property
    def boundinertia(self) -> float:
        """Field ``boundinertia`` of a compiler."""
    @boundinertia.setter
    def boundinertia(self, value: Any) -> None: ...
    @property
    def settotalmass(self) -> float:
        """Field ``settotalmass`` of a compiler."""
    @settotalmass.setter
    def settotalmass(self, value: Any) -> None: ...
    @property
    def balanceinertia(self) -> int:
        """Field ``balanceinertia`` of a compiler."""
    @balanceinertia.setter
    def balanceinertia(self, value: Any) -> None: ...
    @property
    def degree(self) -> int:
        """Field ``degree`` of a compiler."""
    @degree.setter
    def degree(self, value: Any) -> None: ...
    @property
    def eulerseq(self) -> Any:
        """Field ``eulerseq`` of a compiler."""
    @eulerseq.setter
    def eulerseq(self, value: Any) -> None: ...
    @property
    def inertiafromgeom(self) -> int:
        """Field ``inertiafromgeom`` of a compiler."""
    @inertiafromgeom.setter
    def inertiafromgeom(self, value: Any) -> None: ...
    @property
    def inertiagrouprange(self) -> NDArray[np.int32]:
        """Field ``inertiagrouprange`` of a compiler."""
    @inertiagrouprange.setter
    def inertiagrouprange(self, value: Any) -> None: ...
    @property
    def saveinertial(self) -> int:
        """Field ``saveinertial`` of a compiler."""
    @saveinertial.setter
    def saveinertial(self, value: Any) -> None: ...
    @property
    def meshdir(self) -> str:
        """Field ``meshdir`` of a compiler."""
    @meshdir.setter
    def meshdir(self, value: Any) -> None: ...
    @property
    def texturedir(self) -> str:
        """Field ``texturedir`` of a compiler."""
    @texturedir.setter
    def texturedir(self, value: Any) -> None: ...
    @property
    def strippath(self) -> int:
        """Field ``strippath`` of a compiler."""
    @strippath.setter
    def strippath(self, value: Any) -> None: ...
    @property
    def fitaabb(self) -> int:
        """Field ``fitaabb`` of a compiler."""
    @fitaabb.setter
    def fitaabb(self, value: Any) -> None: ...
    @property
    def discardvisual(self) -> int:
        """Field ``discardvisual`` of a compiler."""
    @discardvisual.setter
    def discardvisual(self, value: Any) -> None: ...
    @property
    def fusestatic(self) -> int:
        """Field ``fusestatic`` of a compiler."""
    @fusestatic.setter
    def fusestatic(self, value: Any) -> None: ...
    @property
    def alignfree(self) -> int:
        """Field ``alignfree`` of a compiler."""
    @alignfree.setter
    def alignfree(self, value: Any) -> None: ...
    @property
    def usethread(self) -> int:
        """Field ``usethread`` of a compiler."""
    @usethread.setter
    def usethread(self, value: Any) -> None: ...

class _Classified:
    """Elements with a default class."""
    @property
    def classname(self) -> MjsDefault:
        """Default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...

class _InBody:
    """Elements of a body."""
    @property
    def parent(self) -> Any:
        """The body."""
    @property
    def frame(self) -> Any:
        """The frame, or None."""
    def set_frame(self, frame: Any) -> None:
        """Moves the element into a frame of its body."""

class _WithPlugin:
    """Elements with a plugin."""
    @property
    def plugin(self) -> MjsPlugin:
        """Plugin; not active if the element has none."""
    @plugin.setter
    def plugin(self, value: Any) -> None: ...

class MjsPlugin(MjsElement):
    """A plugin instance, or the reference of an element to one."""
    _kind: Any
    _of: Any
    def __init__(self, spec: Any, values: dict[str, Any] | None = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    _set: Any
    _entry: Any
    @property
    def name(self) -> str:
        """Name of the instance; empty for an instance of its own."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def config(self) -> dict[str, str]:
        """Configuration."""
    @config.setter
    def config(self, value: Any) -> None: ...
    _config: Any
    _name: Any
    active: Any
    plugin_name: Any

class MjsGeom(_InBody, _Classified, _WithPlugin, MjsElement):
    """A geom."""
    _kind: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def type(self) -> mjtGeom:
        """Field ``type`` of a geom."""
    @type.setter
    def type(self, value: Any) -> None: ...
    @property
    def contype(self) -> int:
        """Field ``contype`` of a geom."""
    @contype.setter
    def contype(self, value: Any) -> None: ...
    @property
    def conaffinity(self) -> int:
        """Field ``conaffinity`` of a geom."""
    @conaffinity.setter
    def conaffinity(self, value: Any) -> None: ...
    @property
    def condim(self) -> int:
        """Field ``condim`` of a geom."""
    @condim.setter
    def condim(self, value: Any) -> None: ...
    @property
    def group(self) -> int:
        """Field ``group`` of a geom."""
    @group.setter
    def group(self, value: Any) -> None: ...
    @property
    def priority(self) -> int:
        """Field ``priority`` of a geom."""
    @priority.setter
    def priority(self, value: Any) -> None: ...
    @property
    def size(self) -> NDArray[np.float64]:
        """Field ``size`` of a geom."""
    @size.setter
    def size(self, value: Any) -> None: ...
    @property
    def friction(self) -> NDArray[np.float64]:
        """Field ``friction`` of a geom."""
    @friction.setter
    def friction(self, value: Any) -> None: ...
    @property
    def mass(self) -> float:
        """Field ``mass`` of a geom."""
    @mass.setter
    def mass(self, value: Any) -> None: ...
    @property
    def density(self) -> float:
        """Field ``density`` of a geom."""
    @density.setter
    def density(self, value: Any) -> None: ...
    @property
    def typeinertia(self) -> mjtGeomInertia:
        """Field ``typeinertia`` of a geom."""
    @typeinertia.setter
    def typeinertia(self, value: Any) -> None: ...
    @property
    def solmix(self) -> float:
        """Field ``solmix`` of a geom."""
    @solmix.setter
    def solmix(self, value: Any) -> None: ...
    @property
    def solref(self) -> NDArray[np.float64]:
        """Field ``solref`` of a geom."""
    @solref.setter
    def solref(self, value: Any) -> None: ...
    @property
    def solimp(self) -> NDArray[np.float64]:
        """Field ``solimp`` of a geom."""
    @solimp.setter
    def solimp(self, value: Any) -> None: ...
    @property
    def margin(self) -> float:
        """Field ``margin`` of a geom."""
    @margin.setter
    def margin(self, value: Any) -> None: ...
    @property
    def gap(self) -> float:
        """Field ``gap`` of a geom."""
    @gap.setter
    def gap(self, value: Any) -> None: ...
    @property
    def fromto(self) -> NDArray[np.float64]:
        """Field ``fromto`` of a geom."""
    @fromto.setter
    def fromto(self, value: Any) -> None: ...
    @property
    def pos(self) -> NDArray[np.float64]:
        """Field ``pos`` of a geom."""
    @pos.setter
    def pos(self, value: Any) -> None: ...
    @property
    def rgba(self) -> NDArray[np.float32]:
        """Field ``rgba`` of a geom."""
    @rgba.setter
    def rgba(self, value: Any) -> None: ...
    @property
    def material(self) -> str:
        """Field ``material`` of a geom."""
    @material.setter
    def material(self, value: Any) -> None: ...
    @property
    def meshname(self) -> str:
        """Field ``meshname`` of a geom."""
    @meshname.setter
    def meshname(self, value: Any) -> None: ...
    @property
    def hfieldname(self) -> str:
        """Field ``hfieldname`` of a geom."""
    @hfieldname.setter
    def hfieldname(self, value: Any) -> None: ...
    @property
    def fitscale(self) -> float:
        """Field ``fitscale`` of a geom."""
    @fitscale.setter
    def fitscale(self, value: Any) -> None: ...
    @property
    def fluid_ellipsoid(self) -> int:
        """Field ``fluid_ellipsoid`` of a geom."""
    @fluid_ellipsoid.setter
    def fluid_ellipsoid(self, value: Any) -> None: ...
    @property
    def fluid_coefs(self) -> NDArray[np.float64]:
        """Field ``fluid_coefs`` of a geom."""
    @fluid_coefs.setter
    def fluid_coefs(self, value: Any) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """Field ``userdata`` of a geom."""
    @userdata.setter
    def userdata(self, value: Any) -> None: ...
    @property
    def quat(self) -> NDArray[np.float64]:
        """Field ``quat`` of a geom."""
    @quat.setter
    def quat(self, value: Any) -> None: ...
    @property
    def alt(self) -> Any:
        """Alternative orientation specifier."""

class MjsJoint(_InBody, _Classified, MjsElement):
    """A joint."""
    _kind: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def type(self) -> mjtJoint:
        """Field ``type`` of a joint."""
    @type.setter
    def type(self, value: Any) -> None: ...
    @property
    def group(self) -> int:
        """Field ``group`` of a joint."""
    @group.setter
    def group(self, value: Any) -> None: ...
    @property
    def pos(self) -> NDArray[np.float64]:
        """Field ``pos`` of a joint."""
    @pos.setter
    def pos(self, value: Any) -> None: ...
    @property
    def axis(self) -> NDArray[np.float64]:
        """Field ``axis`` of a joint."""
    @axis.setter
    def axis(self, value: Any) -> None: ...
    @property
    def align(self) -> int:
        """Field ``align`` of a joint."""
    @align.setter
    def align(self, value: Any) -> None: ...
    @property
    def springdamper(self) -> NDArray[np.float64]:
        """Field ``springdamper`` of a joint."""
    @springdamper.setter
    def springdamper(self, value: Any) -> None: ...
    @property
    def limited(self) -> int:
        """Field ``limited`` of a joint."""
    @limited.setter
    def limited(self, value: Any) -> None: ...
    @property
    def actfrclimited(self) -> int:
        """Field ``actfrclimited`` of a joint."""
    @actfrclimited.setter
    def actfrclimited(self, value: Any) -> None: ...
    @property
    def solref_limit(self) -> NDArray[np.float64]:
        """Field ``solref_limit`` of a joint."""
    @solref_limit.setter
    def solref_limit(self, value: Any) -> None: ...
    @property
    def solimp_limit(self) -> NDArray[np.float64]:
        """Field ``solimp_limit`` of a joint."""
    @solimp_limit.setter
    def solimp_limit(self, value: Any) -> None: ...
    @property
    def solref_friction(self) -> NDArray[np.float64]:
        """Field ``solref_friction`` of a joint."""
    @solref_friction.setter
    def solref_friction(self, value: Any) -> None: ...
    @property
    def solimp_friction(self) -> NDArray[np.float64]:
        """Field ``solimp_friction`` of a joint."""
    @solimp_friction.setter
    def solimp_friction(self, value: Any) -> None: ...
    @property
    def stiffness(self) -> NDArray[np.float64]:
        """Field ``stiffness`` of a joint."""
    @stiffness.setter
    def stiffness(self, value: Any) -> None: ...
    @property
    def range(self) -> NDArray[np.float64]:
        """Field ``range`` of a joint."""
    @range.setter
    def range(self, value: Any) -> None: ...
    @property
    def actfrcrange(self) -> NDArray[np.float64]:
        """Field ``actfrcrange`` of a joint."""
    @actfrcrange.setter
    def actfrcrange(self, value: Any) -> None: ...
    @property
    def actgravcomp(self) -> int:
        """Field ``actgravcomp`` of a joint."""
    @actgravcomp.setter
    def actgravcomp(self, value: Any) -> None: ...
    @property
    def margin(self) -> float:
        """Field ``margin`` of a joint."""
    @margin.setter
    def margin(self, value: Any) -> None: ...
    @property
    def ref(self) -> float:
        """Field ``ref`` of a joint."""
    @ref.setter
    def ref(self, value: Any) -> None: ...
    @property
    def springref(self) -> float:
        """Field ``springref`` of a joint."""
    @springref.setter
    def springref(self, value: Any) -> None: ...
    @property
    def armature(self) -> float:
        """Field ``armature`` of a joint."""
    @armature.setter
    def armature(self, value: Any) -> None: ...
    @property
    def damping(self) -> NDArray[np.float64]:
        """Field ``damping`` of a joint."""
    @damping.setter
    def damping(self, value: Any) -> None: ...
    @property
    def frictionloss(self) -> float:
        """Field ``frictionloss`` of a joint."""
    @frictionloss.setter
    def frictionloss(self, value: Any) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """Field ``userdata`` of a joint."""
    @userdata.setter
    def userdata(self, value: Any) -> None: ...

class MjsSite(_InBody, _Classified, MjsElement):
    """A site."""
    _kind: Any
    def attach_body(self, body: Any, prefix: str | None = ..., suffix: str | None = ...) -> Any:
        """Attaches a body of another spec at this site."""
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def type(self) -> mjtGeom:
        """Field ``type`` of a site."""
    @type.setter
    def type(self, value: Any) -> None: ...
    @property
    def group(self) -> int:
        """Field ``group`` of a site."""
    @group.setter
    def group(self, value: Any) -> None: ...
    @property
    def size(self) -> NDArray[np.float64]:
        """Field ``size`` of a site."""
    @size.setter
    def size(self, value: Any) -> None: ...
    @property
    def fromto(self) -> NDArray[np.float64]:
        """Field ``fromto`` of a site."""
    @fromto.setter
    def fromto(self, value: Any) -> None: ...
    @property
    def pos(self) -> NDArray[np.float64]:
        """Field ``pos`` of a site."""
    @pos.setter
    def pos(self, value: Any) -> None: ...
    @property
    def rgba(self) -> NDArray[np.float32]:
        """Field ``rgba`` of a site."""
    @rgba.setter
    def rgba(self, value: Any) -> None: ...
    @property
    def material(self) -> str:
        """Field ``material`` of a site."""
    @material.setter
    def material(self, value: Any) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """Field ``userdata`` of a site."""
    @userdata.setter
    def userdata(self, value: Any) -> None: ...
    @property
    def quat(self) -> NDArray[np.float64]:
        """Field ``quat`` of a site."""
    @quat.setter
    def quat(self, value: Any) -> None: ...
    @property
    def alt(self) -> Any:
        """Alternative orientation specifier."""

class MjsCamera(_InBody, _Classified, MjsElement):
    """A camera."""
    _kind: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def mode(self) -> mjtCamLight:
        """Field ``mode`` of a camera."""
    @mode.setter
    def mode(self, value: Any) -> None: ...
    @property
    def targetbody(self) -> str:
        """Field ``targetbody`` of a camera."""
    @targetbody.setter
    def targetbody(self, value: Any) -> None: ...
    @property
    def proj(self) -> mjtProjection:
        """Field ``proj`` of a camera."""
    @proj.setter
    def proj(self, value: Any) -> None: ...
    @property
    def fovy(self) -> float:
        """Field ``fovy`` of a camera."""
    @fovy.setter
    def fovy(self, value: Any) -> None: ...
    @property
    def ipd(self) -> float:
        """Field ``ipd`` of a camera."""
    @ipd.setter
    def ipd(self, value: Any) -> None: ...
    @property
    def resolution(self) -> NDArray[np.int32]:
        """Field ``resolution`` of a camera."""
    @resolution.setter
    def resolution(self, value: Any) -> None: ...
    @property
    def output(self) -> int:
        """Field ``output`` of a camera."""
    @output.setter
    def output(self, value: Any) -> None: ...
    @property
    def pos(self) -> NDArray[np.float64]:
        """Field ``pos`` of a camera."""
    @pos.setter
    def pos(self, value: Any) -> None: ...
    @property
    def focal_length(self) -> NDArray[np.float32]:
        """Field ``focal_length`` of a camera."""
    @focal_length.setter
    def focal_length(self, value: Any) -> None: ...
    @property
    def focal_pixel(self) -> NDArray[np.float32]:
        """Field ``focal_pixel`` of a camera."""
    @focal_pixel.setter
    def focal_pixel(self, value: Any) -> None: ...
    @property
    def principal_length(self) -> NDArray[np.float32]:
        """Field ``principal_length`` of a camera."""
    @principal_length.setter
    def principal_length(self, value: Any) -> None: ...
    @property
    def principal_pixel(self) -> NDArray[np.float32]:
        """Field ``principal_pixel`` of a camera."""
    @principal_pixel.setter
    def principal_pixel(self, value: Any) -> None: ...
    @property
    def sensor_size(self) -> NDArray[np.float32]:
        """Field ``sensor_size`` of a camera."""
    @sensor_size.setter
    def sensor_size(self, value: Any) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """Field ``userdata`` of a camera."""
    @userdata.setter
    def userdata(self, value: Any) -> None: ...
    @property
    def quat(self) -> NDArray[np.float64]:
        """Field ``quat`` of a camera."""
    @quat.setter
    def quat(self, value: Any) -> None: ...
    @property
    def alt(self) -> Any:
        """Alternative orientation specifier."""

class MjsLight(_InBody, _Classified, MjsElement):
    """A light."""
    _kind: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def mode(self) -> mjtCamLight:
        """Field ``mode`` of a light."""
    @mode.setter
    def mode(self, value: Any) -> None: ...
    @property
    def targetbody(self) -> str:
        """Field ``targetbody`` of a light."""
    @targetbody.setter
    def targetbody(self, value: Any) -> None: ...
    @property
    def type(self) -> mjtLightType:
        """Field ``type`` of a light."""
    @type.setter
    def type(self, value: Any) -> None: ...
    @property
    def texture(self) -> str:
        """Field ``texture`` of a light."""
    @texture.setter
    def texture(self, value: Any) -> None: ...
    @property
    def castshadow(self) -> int:
        """Field ``castshadow`` of a light."""
    @castshadow.setter
    def castshadow(self, value: Any) -> None: ...
    @property
    def active(self) -> int:
        """Field ``active`` of a light."""
    @active.setter
    def active(self, value: Any) -> None: ...
    @property
    def pos(self) -> NDArray[np.float64]:
        """Field ``pos`` of a light."""
    @pos.setter
    def pos(self, value: Any) -> None: ...
    @property
    def dir(self) -> NDArray[np.float64]:
        """Field ``dir`` of a light."""
    @dir.setter
    def dir(self, value: Any) -> None: ...
    @property
    def bulbradius(self) -> float:
        """Field ``bulbradius`` of a light."""
    @bulbradius.setter
    def bulbradius(self, value: Any) -> None: ...
    @property
    def intensity(self) -> float:
        """Field ``intensity`` of a light."""
    @intensity.setter
    def intensity(self, value: Any) -> None: ...
    @property
    def range(self) -> float:
        """Field ``range`` of a light."""
    @range.setter
    def range(self, value: Any) -> None: ...
    @property
    def attenuation(self) -> NDArray[np.float32]:
        """Field ``attenuation`` of a light."""
    @attenuation.setter
    def attenuation(self, value: Any) -> None: ...
    @property
    def cutoff(self) -> float:
        """Field ``cutoff`` of a light."""
    @cutoff.setter
    def cutoff(self, value: Any) -> None: ...
    @property
    def exponent(self) -> float:
        """Field ``exponent`` of a light."""
    @exponent.setter
    def exponent(self, value: Any) -> None: ...
    @property
    def ambient(self) -> NDArray[np.float32]:
        """Field ``ambient`` of a light."""
    @ambient.setter
    def ambient(self, value: Any) -> None: ...
    @property
    def diffuse(self) -> NDArray[np.float32]:
        """Field ``diffuse`` of a light."""
    @diffuse.setter
    def diffuse(self, value: Any) -> None: ...
    @property
    def specular(self) -> NDArray[np.float32]:
        """Field ``specular`` of a light."""
    @specular.setter
    def specular(self, value: Any) -> None: ...

class MjsMesh(_Classified, _WithPlugin, MjsElement):
    """A mesh."""
    _kind: Any
    _make: Any
    def make_sphere(self, subdivision: int) -> None:
        """A subdivided icosahedron."""
    def make_hemisphere(self, resolution: int) -> None:
        """Half a sphere."""
    def make_cone(self, nedge: int, radius: float) -> None:
        """A cone or a prism; `radius` is that of the top."""
    def make_supersphere(self, resolution: int, e: float, n: float) -> None:
        """A superellipsoid."""
    def make_supertorus(self, resolution: int, radius: float, s: float, t: float) -> None:
        """A supertoroid."""
    def make_wedge(self, resolution: Any = ..., fov: Any = ..., gamma: float = ...) -> None:
        """Part of a sphere as a grid of points."""
    def make_plate(self, resolution: Any = ...) -> None:
        """A flat grid."""
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def content_type(self) -> str:
        """Field ``content_type`` of a mesh."""
    @content_type.setter
    def content_type(self, value: Any) -> None: ...
    @property
    def file(self) -> str:
        """Field ``file`` of a mesh."""
    @file.setter
    def file(self, value: Any) -> None: ...
    @property
    def uservert(self) -> NDArray[np.float32]:
        """Field ``uservert`` of a mesh."""
    @uservert.setter
    def uservert(self, value: Any) -> None: ...
    @property
    def usernormal(self) -> NDArray[np.float32]:
        """Field ``usernormal`` of a mesh."""
    @usernormal.setter
    def usernormal(self, value: Any) -> None: ...
    @property
    def usertexcoord(self) -> NDArray[np.float32]:
        """Field ``usertexcoord`` of a mesh."""
    @usertexcoord.setter
    def usertexcoord(self, value: Any) -> None: ...
    @property
    def userface(self) -> NDArray[np.int32]:
        """Field ``userface`` of a mesh."""
    @userface.setter
    def userface(self, value: Any) -> None: ...
    @property
    def refpos(self) -> NDArray[np.float64]:
        """Field ``refpos`` of a mesh."""
    @refpos.setter
    def refpos(self, value: Any) -> None: ...
    @property
    def refquat(self) -> NDArray[np.float64]:
        """Field ``refquat`` of a mesh."""
    @refquat.setter
    def refquat(self, value: Any) -> None: ...
    @property
    def scale(self) -> NDArray[np.float64]:
        """Field ``scale`` of a mesh."""
    @scale.setter
    def scale(self, value: Any) -> None: ...
    @property
    def smoothnormal(self) -> int:
        """Field ``smoothnormal`` of a mesh."""
    @smoothnormal.setter
    def smoothnormal(self, value: Any) -> None: ...
    @property
    def maxhullvert(self) -> int:
        """Field ``maxhullvert`` of a mesh."""
    @maxhullvert.setter
    def maxhullvert(self, value: Any) -> None: ...
    @property
    def inertia(self) -> mjtMeshInertia:
        """Field ``inertia`` of a mesh."""
    @inertia.setter
    def inertia(self, value: Any) -> None: ...
    @property
    def collider(self) -> int:
        """Field ``collider`` of a mesh."""
    @collider.setter
    def collider(self, value: Any) -> None: ...
    @property
    def builtin(self) -> str:
        """Field ``builtin`` of a mesh."""
    @builtin.setter
    def builtin(self, value: Any) -> None: ...
    @property
    def params(self) -> NDArray[np.float64]:
        """Field ``params`` of a mesh."""
    @params.setter
    def params(self, value: Any) -> None: ...
    @property
    def material(self) -> str:
        """Field ``material`` of a mesh."""
    @material.setter
    def material(self, value: Any) -> None: ...

class MjsHField(MjsElement):
    """A height field."""
    _kind: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def content_type(self) -> str:
        """Field ``content_type`` of a hfield."""
    @content_type.setter
    def content_type(self, value: Any) -> None: ...
    @property
    def file(self) -> str:
        """Field ``file`` of a hfield."""
    @file.setter
    def file(self, value: Any) -> None: ...
    @property
    def nrow(self) -> int:
        """Field ``nrow`` of a hfield."""
    @nrow.setter
    def nrow(self, value: Any) -> None: ...
    @property
    def ncol(self) -> int:
        """Field ``ncol`` of a hfield."""
    @ncol.setter
    def ncol(self, value: Any) -> None: ...
    @property
    def size(self) -> NDArray[np.float64]:
        """Field ``size`` of a hfield."""
    @size.setter
    def size(self, value: Any) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float32]:
        """Field ``userdata`` of a hfield."""
    @userdata.setter
    def userdata(self, value: Any) -> None: ...

class MjsTexture(MjsElement):
    """A texture."""
    _kind: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def type(self) -> mjtTexture:
        """Field ``type`` of a texture."""
    @type.setter
    def type(self, value: Any) -> None: ...
    @property
    def colorspace(self) -> mjtColorSpace:
        """Field ``colorspace`` of a texture."""
    @colorspace.setter
    def colorspace(self, value: Any) -> None: ...
    @property
    def content_type(self) -> str:
        """Field ``content_type`` of a texture."""
    @content_type.setter
    def content_type(self, value: Any) -> None: ...
    @property
    def file(self) -> str:
        """Field ``file`` of a texture."""
    @file.setter
    def file(self, value: Any) -> None: ...
    @property
    def gridsize(self) -> NDArray[np.int32]:
        """Field ``gridsize`` of a texture."""
    @gridsize.setter
    def gridsize(self, value: Any) -> None: ...
    @property
    def gridlayout(self) -> Any:
        """Field ``gridlayout`` of a texture."""
    @gridlayout.setter
    def gridlayout(self, value: Any) -> None: ...
    @property
    def builtin(self) -> int:
        """Field ``builtin`` of a texture."""
    @builtin.setter
    def builtin(self, value: Any) -> None: ...
    @property
    def rgb1(self) -> NDArray[np.float64]:
        """Field ``rgb1`` of a texture."""
    @rgb1.setter
    def rgb1(self, value: Any) -> None: ...
    @property
    def rgb2(self) -> NDArray[np.float64]:
        """Field ``rgb2`` of a texture."""
    @rgb2.setter
    def rgb2(self, value: Any) -> None: ...
    @property
    def mark(self) -> int:
        """Field ``mark`` of a texture."""
    @mark.setter
    def mark(self, value: Any) -> None: ...
    @property
    def markrgb(self) -> NDArray[np.float64]:
        """Field ``markrgb`` of a texture."""
    @markrgb.setter
    def markrgb(self, value: Any) -> None: ...
    @property
    def random(self) -> float:
        """Field ``random`` of a texture."""
    @random.setter
    def random(self, value: Any) -> None: ...
    @property
    def width(self) -> int:
        """Field ``width`` of a texture."""
    @width.setter
    def width(self, value: Any) -> None: ...
    @property
    def height(self) -> int:
        """Field ``height`` of a texture."""
    @height.setter
    def height(self, value: Any) -> None: ...
    @property
    def hflip(self) -> int:
        """Field ``hflip`` of a texture."""
    @hflip.setter
    def hflip(self, value: Any) -> None: ...
    @property
    def vflip(self) -> int:
        """Field ``vflip`` of a texture."""
    @vflip.setter
    def vflip(self, value: Any) -> None: ...
    @property
    def nchannel(self) -> int:
        """Field ``nchannel`` of a texture."""
    @nchannel.setter
    def nchannel(self, value: Any) -> None: ...
    @property
    def data(self) -> bytes:
        """Field ``data`` of a texture."""
    @data.setter
    def data(self, value: Any) -> None: ...
    @property
    def cubefiles(self) -> Any:
        """Field ``cubefiles`` of a texture."""
    @cubefiles.setter
    def cubefiles(self, value: Any) -> None: ...

class MjsMaterial(_Classified, MjsElement):
    """A material."""
    _kind: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def texuniform(self) -> int:
        """Field ``texuniform`` of a material."""
    @texuniform.setter
    def texuniform(self, value: Any) -> None: ...
    @property
    def texrepeat(self) -> NDArray[np.float32]:
        """Field ``texrepeat`` of a material."""
    @texrepeat.setter
    def texrepeat(self, value: Any) -> None: ...
    @property
    def emission(self) -> float:
        """Field ``emission`` of a material."""
    @emission.setter
    def emission(self, value: Any) -> None: ...
    @property
    def specular(self) -> float:
        """Field ``specular`` of a material."""
    @specular.setter
    def specular(self, value: Any) -> None: ...
    @property
    def shininess(self) -> float:
        """Field ``shininess`` of a material."""
    @shininess.setter
    def shininess(self, value: Any) -> None: ...
    @property
    def reflectance(self) -> float:
        """Field ``reflectance`` of a material."""
    @reflectance.setter
    def reflectance(self, value: Any) -> None: ...
    @property
    def metallic(self) -> float:
        """Field ``metallic`` of a material."""
    @metallic.setter
    def metallic(self, value: Any) -> None: ...
    @property
    def roughness(self) -> float:
        """Field ``roughness`` of a material."""
    @roughness.setter
    def roughness(self, value: Any) -> None: ...
    @property
    def rgba(self) -> NDArray[np.float32]:
        """Field ``rgba`` of a material."""
    @rgba.setter
    def rgba(self, value: Any) -> None: ...
    @property
    def textures(self) -> Any:
        """Field ``textures`` of a material."""
    @textures.setter
    def textures(self, value: Any) -> None: ...

class MjsPair(_Classified, MjsElement):
    """A contact pair."""
    _kind: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def geomname1(self) -> str:
        """Field ``geomname1`` of a pair."""
    @geomname1.setter
    def geomname1(self, value: Any) -> None: ...
    @property
    def geomname2(self) -> str:
        """Field ``geomname2`` of a pair."""
    @geomname2.setter
    def geomname2(self, value: Any) -> None: ...
    @property
    def condim(self) -> int:
        """Field ``condim`` of a pair."""
    @condim.setter
    def condim(self, value: Any) -> None: ...
    @property
    def friction(self) -> NDArray[np.float64]:
        """Field ``friction`` of a pair."""
    @friction.setter
    def friction(self, value: Any) -> None: ...
    @property
    def solref(self) -> NDArray[np.float64]:
        """Field ``solref`` of a pair."""
    @solref.setter
    def solref(self, value: Any) -> None: ...
    @property
    def solreffriction(self) -> NDArray[np.float64]:
        """Field ``solreffriction`` of a pair."""
    @solreffriction.setter
    def solreffriction(self, value: Any) -> None: ...
    @property
    def solimp(self) -> NDArray[np.float64]:
        """Field ``solimp`` of a pair."""
    @solimp.setter
    def solimp(self, value: Any) -> None: ...
    @property
    def margin(self) -> float:
        """Field ``margin`` of a pair."""
    @margin.setter
    def margin(self, value: Any) -> None: ...
    @property
    def gap(self) -> float:
        """Field ``gap`` of a pair."""
    @gap.setter
    def gap(self, value: Any) -> None: ...

class MjsExclude(MjsElement):
    """A pair of bodies whose geoms do not collide."""
    _kind: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def bodyname1(self) -> str:
        """Field ``bodyname1`` of a exclude."""
    @bodyname1.setter
    def bodyname1(self, value: Any) -> None: ...
    @property
    def bodyname2(self) -> str:
        """Field ``bodyname2`` of a exclude."""
    @bodyname2.setter
    def bodyname2(self, value: Any) -> None: ...

class MjsEquality(_Classified, MjsElement):
    """An equality constraint."""
    _kind: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def type(self) -> mjtEq:
        """Field ``type`` of a equality."""
    @type.setter
    def type(self, value: Any) -> None: ...
    @property
    def objtype(self) -> mjtObj:
        """Field ``objtype`` of a equality."""
    @objtype.setter
    def objtype(self, value: Any) -> None: ...
    @property
    def name1(self) -> str:
        """Field ``name1`` of a equality."""
    @name1.setter
    def name1(self, value: Any) -> None: ...
    @property
    def name2(self) -> str:
        """Field ``name2`` of a equality."""
    @name2.setter
    def name2(self, value: Any) -> None: ...
    @property
    def active(self) -> int:
        """Field ``active`` of a equality."""
    @active.setter
    def active(self, value: Any) -> None: ...
    @property
    def solref(self) -> NDArray[np.float64]:
        """Field ``solref`` of a equality."""
    @solref.setter
    def solref(self, value: Any) -> None: ...
    @property
    def solimp(self) -> NDArray[np.float64]:
        """Field ``solimp`` of a equality."""
    @solimp.setter
    def solimp(self, value: Any) -> None: ...
    @property
    def data(self) -> NDArray[np.float64]:
        """Field ``data`` of a equality."""
    @data.setter
    def data(self, value: Any) -> None: ...

class MjsSensor(_WithPlugin, MjsElement):
    """A sensor."""
    _kind: Any
    def get_data_size(self) -> int:
        """Number of values in ``sensordata``; it is determined by compiling the spec."""
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def type(self) -> mjtSensor:
        """Field ``type`` of a sensor."""
    @type.setter
    def type(self, value: Any) -> None: ...
    @property
    def objtype(self) -> mjtObj:
        """Field ``objtype`` of a sensor."""
    @objtype.setter
    def objtype(self, value: Any) -> None: ...
    @property
    def objname(self) -> str:
        """Field ``objname`` of a sensor."""
    @objname.setter
    def objname(self, value: Any) -> None: ...
    @property
    def reftype(self) -> mjtObj:
        """Field ``reftype`` of a sensor."""
    @reftype.setter
    def reftype(self, value: Any) -> None: ...
    @property
    def refname(self) -> str:
        """Field ``refname`` of a sensor."""
    @refname.setter
    def refname(self, value: Any) -> None: ...
    @property
    def intprm(self) -> NDArray[np.int32]:
        """Field ``intprm`` of a sensor."""
    @intprm.setter
    def intprm(self, value: Any) -> None: ...
    @property
    def dim(self) -> int:
        """Field ``dim`` of a sensor."""
    @dim.setter
    def dim(self, value: Any) -> None: ...
    @property
    def datatype(self) -> mjtDataType:
        """Field ``datatype`` of a sensor."""
    @datatype.setter
    def datatype(self, value: Any) -> None: ...
    @property
    def needstage(self) -> mjtStage:
        """Field ``needstage`` of a sensor."""
    @needstage.setter
    def needstage(self, value: Any) -> None: ...
    @property
    def cutoff(self) -> float:
        """Field ``cutoff`` of a sensor."""
    @cutoff.setter
    def cutoff(self, value: Any) -> None: ...
    @property
    def noise(self) -> float:
        """Field ``noise`` of a sensor."""
    @noise.setter
    def noise(self, value: Any) -> None: ...
    @property
    def nsample(self) -> int:
        """Field ``nsample`` of a sensor."""
    @nsample.setter
    def nsample(self, value: Any) -> None: ...
    @property
    def interp(self) -> int:
        """Field ``interp`` of a sensor."""
    @interp.setter
    def interp(self, value: Any) -> None: ...
    @property
    def delay(self) -> float:
        """Field ``delay`` of a sensor."""
    @delay.setter
    def delay(self, value: Any) -> None: ...
    @property
    def interval(self) -> NDArray[np.float64]:
        """Field ``interval`` of a sensor."""
    @interval.setter
    def interval(self, value: Any) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """Field ``userdata`` of a sensor."""
    @userdata.setter
    def userdata(self, value: Any) -> None: ...

class MjsFlex(MjsElement):
    """A flex."""
    _kind: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def group(self) -> int:
        """Field ``group`` of a flex."""
    @group.setter
    def group(self, value: Any) -> None: ...
    @property
    def dim(self) -> int:
        """Field ``dim`` of a flex."""
    @dim.setter
    def dim(self, value: Any) -> None: ...
    @property
    def radius(self) -> float:
        """Field ``radius`` of a flex."""
    @radius.setter
    def radius(self, value: Any) -> None: ...
    @property
    def material(self) -> str:
        """Field ``material`` of a flex."""
    @material.setter
    def material(self, value: Any) -> None: ...
    @property
    def rgba(self) -> NDArray[np.float32]:
        """Field ``rgba`` of a flex."""
    @rgba.setter
    def rgba(self, value: Any) -> None: ...
    @property
    def flatskin(self) -> int:
        """Field ``flatskin`` of a flex."""
    @flatskin.setter
    def flatskin(self, value: Any) -> None: ...
    @property
    def contype(self) -> int:
        """Field ``contype`` of a flex."""
    @contype.setter
    def contype(self, value: Any) -> None: ...
    @property
    def conaffinity(self) -> int:
        """Field ``conaffinity`` of a flex."""
    @conaffinity.setter
    def conaffinity(self, value: Any) -> None: ...
    @property
    def condim(self) -> int:
        """Field ``condim`` of a flex."""
    @condim.setter
    def condim(self, value: Any) -> None: ...
    @property
    def priority(self) -> int:
        """Field ``priority`` of a flex."""
    @priority.setter
    def priority(self, value: Any) -> None: ...
    @property
    def friction(self) -> NDArray[np.float64]:
        """Field ``friction`` of a flex."""
    @friction.setter
    def friction(self, value: Any) -> None: ...
    @property
    def solmix(self) -> float:
        """Field ``solmix`` of a flex."""
    @solmix.setter
    def solmix(self, value: Any) -> None: ...
    @property
    def solref(self) -> NDArray[np.float64]:
        """Field ``solref`` of a flex."""
    @solref.setter
    def solref(self, value: Any) -> None: ...
    @property
    def solimp(self) -> NDArray[np.float64]:
        """Field ``solimp`` of a flex."""
    @solimp.setter
    def solimp(self, value: Any) -> None: ...
    @property
    def margin(self) -> float:
        """Field ``margin`` of a flex."""
    @margin.setter
    def margin(self, value: Any) -> None: ...
    @property
    def gap(self) -> float:
        """Field ``gap`` of a flex."""
    @gap.setter
    def gap(self, value: Any) -> None: ...
    @property
    def internal(self) -> int:
        """Field ``internal`` of a flex."""
    @internal.setter
    def internal(self, value: Any) -> None: ...
    @property
    def selfcollide(self) -> int:
        """Field ``selfcollide`` of a flex."""
    @selfcollide.setter
    def selfcollide(self, value: Any) -> None: ...
    @property
    def activelayers(self) -> int:
        """Field ``activelayers`` of a flex."""
    @activelayers.setter
    def activelayers(self, value: Any) -> None: ...
    @property
    def passive(self) -> int:
        """Field ``passive`` of a flex."""
    @passive.setter
    def passive(self, value: Any) -> None: ...
    @property
    def edgestiffness(self) -> float:
        """Field ``edgestiffness`` of a flex."""
    @edgestiffness.setter
    def edgestiffness(self, value: Any) -> None: ...
    @property
    def edgedamping(self) -> float:
        """Field ``edgedamping`` of a flex."""
    @edgedamping.setter
    def edgedamping(self, value: Any) -> None: ...
    @property
    def young(self) -> float:
        """Field ``young`` of a flex."""
    @young.setter
    def young(self, value: Any) -> None: ...
    @property
    def poisson(self) -> float:
        """Field ``poisson`` of a flex."""
    @poisson.setter
    def poisson(self, value: Any) -> None: ...
    @property
    def damping(self) -> float:
        """Field ``damping`` of a flex."""
    @damping.setter
    def damping(self, value: Any) -> None: ...
    @property
    def thickness(self) -> float:
        """Field ``thickness`` of a flex."""
    @thickness.setter
    def thickness(self, value: Any) -> None: ...
    @property
    def elastic2d(self) -> int:
        """Field ``elastic2d`` of a flex."""
    @elastic2d.setter
    def elastic2d(self, value: Any) -> None: ...
    @property
    def order(self) -> int:
        """Field ``order`` of a flex."""
    @order.setter
    def order(self, value: Any) -> None: ...
    @property
    def cellcount(self) -> NDArray[np.int32]:
        """Field ``cellcount`` of a flex."""
    @cellcount.setter
    def cellcount(self, value: Any) -> None: ...
    @property
    def vert(self) -> NDArray[np.float64]:
        """Field ``vert`` of a flex."""
    @vert.setter
    def vert(self, value: Any) -> None: ...
    @property
    def node(self) -> NDArray[np.float64]:
        """Field ``node`` of a flex."""
    @node.setter
    def node(self, value: Any) -> None: ...
    @property
    def elem(self) -> NDArray[np.int32]:
        """Field ``elem`` of a flex."""
    @elem.setter
    def elem(self, value: Any) -> None: ...
    @property
    def texcoord(self) -> NDArray[np.float32]:
        """Field ``texcoord`` of a flex."""
    @texcoord.setter
    def texcoord(self, value: Any) -> None: ...
    @property
    def elemtexcoord(self) -> NDArray[np.int32]:
        """Field ``elemtexcoord`` of a flex."""
    @elemtexcoord.setter
    def elemtexcoord(self, value: Any) -> None: ...
    @property
    def cell_empty(self) -> NDArray[np.bool_]:
        """Field ``cell_empty`` of a flex."""
    @cell_empty.setter
    def cell_empty(self, value: Any) -> None: ...
    @property
    def vertbody(self) -> Any:
        """Field ``vertbody`` of a flex."""
    @vertbody.setter
    def vertbody(self, value: Any) -> None: ...
    @property
    def nodebody(self) -> Any:
        """Field ``nodebody`` of a flex."""
    @nodebody.setter
    def nodebody(self, value: Any) -> None: ...

class MjsSkin(MjsElement):
    """A skin."""
    _kind: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def file(self) -> str:
        """Field ``file`` of a skin."""
    @file.setter
    def file(self, value: Any) -> None: ...
    @property
    def material(self) -> str:
        """Field ``material`` of a skin."""
    @material.setter
    def material(self, value: Any) -> None: ...
    @property
    def rgba(self) -> NDArray[np.float32]:
        """Field ``rgba`` of a skin."""
    @rgba.setter
    def rgba(self, value: Any) -> None: ...
    @property
    def inflate(self) -> float:
        """Field ``inflate`` of a skin."""
    @inflate.setter
    def inflate(self, value: Any) -> None: ...
    @property
    def group(self) -> int:
        """Field ``group`` of a skin."""
    @group.setter
    def group(self, value: Any) -> None: ...
    @property
    def vert(self) -> NDArray[np.float32]:
        """Field ``vert`` of a skin."""
    @vert.setter
    def vert(self, value: Any) -> None: ...
    @property
    def texcoord(self) -> NDArray[np.float32]:
        """Field ``texcoord`` of a skin."""
    @texcoord.setter
    def texcoord(self, value: Any) -> None: ...
    @property
    def face(self) -> NDArray[np.int32]:
        """Field ``face`` of a skin."""
    @face.setter
    def face(self, value: Any) -> None: ...
    @property
    def bodyname(self) -> Any:
        """Field ``bodyname`` of a skin."""
    @bodyname.setter
    def bodyname(self, value: Any) -> None: ...
    @property
    def bindpos(self) -> NDArray[np.float32]:
        """Field ``bindpos`` of a skin."""
    @bindpos.setter
    def bindpos(self, value: Any) -> None: ...
    @property
    def bindquat(self) -> NDArray[np.float32]:
        """Field ``bindquat`` of a skin."""
    @bindquat.setter
    def bindquat(self, value: Any) -> None: ...
    @property
    def vertid(self) -> Any:
        """Field ``vertid`` of a skin."""
    @vertid.setter
    def vertid(self, value: Any) -> None: ...
    @property
    def vertweight(self) -> Any:
        """Field ``vertweight`` of a skin."""
    @vertweight.setter
    def vertweight(self, value: Any) -> None: ...

class MjsNumeric(MjsElement):
    """A custom numeric field."""
    _kind: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def data(self) -> NDArray[np.float64]:
        """Field ``data`` of a numeric."""
    @data.setter
    def data(self, value: Any) -> None: ...
    @property
    def size(self) -> int:
        """Field ``size`` of a numeric."""
    @size.setter
    def size(self, value: Any) -> None: ...

class MjsText(MjsElement):
    """A custom text field."""
    _kind: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def data(self) -> str:
        """Field ``data`` of a text."""
    @data.setter
    def data(self, value: Any) -> None: ...

class MjsTuple(MjsElement):
    """A custom tuple."""
    _kind: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def objtype(self) -> NDArray[np.int32]:
        """Field ``objtype`` of a tuple."""
    @objtype.setter
    def objtype(self, value: Any) -> None: ...
    @property
    def objname(self) -> Any:
        """Field ``objname`` of a tuple."""
    @objname.setter
    def objname(self, value: Any) -> None: ...
    @property
    def objprm(self) -> NDArray[np.float64]:
        """Field ``objprm`` of a tuple."""
    @objprm.setter
    def objprm(self, value: Any) -> None: ...

class MjsKey(MjsElement):
    """A keyframe."""
    _kind: Any
    _objects: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def time(self) -> float:
        """Field ``time`` of a key."""
    @time.setter
    def time(self, value: Any) -> None: ...
    @property
    def qpos(self) -> NDArray[np.float64]:
        """Field ``qpos`` of a key."""
    @qpos.setter
    def qpos(self, value: Any) -> None: ...
    @property
    def qvel(self) -> NDArray[np.float64]:
        """Field ``qvel`` of a key."""
    @qvel.setter
    def qvel(self, value: Any) -> None: ...
    @property
    def act(self) -> NDArray[np.float64]:
        """Field ``act`` of a key."""
    @act.setter
    def act(self, value: Any) -> None: ...
    @property
    def ctrl(self) -> NDArray[np.float64]:
        """Field ``ctrl`` of a key."""
    @ctrl.setter
    def ctrl(self, value: Any) -> None: ...
    @property
    def mpos(self) -> NDArray[np.float64]:
        """Field ``mpos`` of a key."""
    @mpos.setter
    def mpos(self, value: Any) -> None: ...
    @property
    def mquat(self) -> NDArray[np.float64]:
        """Field ``mquat`` of a key."""
    @mquat.setter
    def mquat(self, value: Any) -> None: ...

class MjsWrap:
    """An element of the path of a tendon."""
    def __init__(self, tendon: MjsTendon, entry: tuple[int, str, str, float]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def type(self) -> mjtWrap:
        """Type; that of a geom is known after compilation."""
    @property
    def target(self) -> Any:
        """The joint, site or geom; None for a pulley."""
    @property
    def sidesite(self) -> Any:
        """The site that selects the side of a geom, or None."""
    @property
    def coef(self) -> float:
        """Coefficient of a joint."""
    @property
    def divisor(self) -> float:
        """Divisor of a pulley."""
    _name: Any
    _number: Any
    _side: Any
    _tendon: Any
    _type: Any
    _value: Any
    info: Any

class MjsTendonPath:
    """The path of a tendon."""
    def __init__(self, wraps: list[MjsWrap]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> MjsWrap: ...
    def __iter__(self) -> Iterator[MjsWrap]: ...
    _wraps: Any

class MjsTendon(_Classified, MjsElement):
    """A tendon."""
    _kind: Any
    def __init__(self, spec: Any, values: dict[str, Any] | None = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def path(self) -> MjsTendonPath:
        """The path."""
    def default(self) -> MjsDefault:
        """Default class."""
    _wrap: Any
    def wrap_site(self, name: str) -> MjsWrap:
        """Adds a site to the path."""
    def wrap_geom(self, name: str, sidesite: str = ...) -> MjsWrap:
        """Adds a sphere or cylinder that the path wraps around."""
    def wrap_joint(self, name: str, coef: float) -> MjsWrap:
        """Adds a joint with a coefficient."""
    def wrap_pulley(self, divisor: float) -> MjsWrap:
        """Adds a pulley."""
    _entry: Any
    _path: Any
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def group(self) -> int:
        """Field ``group`` of a tendon."""
    @group.setter
    def group(self, value: Any) -> None: ...
    @property
    def limited(self) -> int:
        """Field ``limited`` of a tendon."""
    @limited.setter
    def limited(self, value: Any) -> None: ...
    @property
    def actfrclimited(self) -> int:
        """Field ``actfrclimited`` of a tendon."""
    @actfrclimited.setter
    def actfrclimited(self, value: Any) -> None: ...
    @property
    def range(self) -> NDArray[np.float64]:
        """Field ``range`` of a tendon."""
    @range.setter
    def range(self, value: Any) -> None: ...
    @property
    def actfrcrange(self) -> NDArray[np.float64]:
        """Field ``actfrcrange`` of a tendon."""
    @actfrcrange.setter
    def actfrcrange(self, value: Any) -> None: ...
    @property
    def solref_limit(self) -> NDArray[np.float64]:
        """Field ``solref_limit`` of a tendon."""
    @solref_limit.setter
    def solref_limit(self, value: Any) -> None: ...
    @property
    def solimp_limit(self) -> NDArray[np.float64]:
        """Field ``solimp_limit`` of a tendon."""
    @solimp_limit.setter
    def solimp_limit(self, value: Any) -> None: ...
    @property
    def solref_friction(self) -> NDArray[np.float64]:
        """Field ``solref_friction`` of a tendon."""
    @solref_friction.setter
    def solref_friction(self, value: Any) -> None: ...
    @property
    def solimp_friction(self) -> NDArray[np.float64]:
        """Field ``solimp_friction`` of a tendon."""
    @solimp_friction.setter
    def solimp_friction(self, value: Any) -> None: ...
    @property
    def frictionloss(self) -> float:
        """Field ``frictionloss`` of a tendon."""
    @frictionloss.setter
    def frictionloss(self, value: Any) -> None: ...
    @property
    def springlength(self) -> NDArray[np.float64]:
        """Field ``springlength`` of a tendon."""
    @springlength.setter
    def springlength(self, value: Any) -> None: ...
    @property
    def width(self) -> float:
        """Field ``width`` of a tendon."""
    @width.setter
    def width(self, value: Any) -> None: ...
    @property
    def material(self) -> str:
        """Field ``material`` of a tendon."""
    @material.setter
    def material(self, value: Any) -> None: ...
    @property
    def margin(self) -> float:
        """Field ``margin`` of a tendon."""
    @margin.setter
    def margin(self, value: Any) -> None: ...
    @property
    def stiffness(self) -> NDArray[np.float64]:
        """Field ``stiffness`` of a tendon."""
    @stiffness.setter
    def stiffness(self, value: Any) -> None: ...
    @property
    def damping(self) -> NDArray[np.float64]:
        """Field ``damping`` of a tendon."""
    @damping.setter
    def damping(self, value: Any) -> None: ...
    @property
    def armature(self) -> float:
        """Field ``armature`` of a tendon."""
    @armature.setter
    def armature(self, value: Any) -> None: ...
    @property
    def rgba(self) -> NDArray[np.float32]:
        """Field ``rgba`` of a tendon."""
    @rgba.setter
    def rgba(self, value: Any) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """Field ``userdata`` of a tendon."""
    @userdata.setter
    def userdata(self, value: Any) -> None: ...

class MjsActuator(_Classified, _WithPlugin, MjsElement):
    """An actuator."""
    _kind: Any
    _shortcut: Any
    def set_to_motor(self) -> None:
        """The control is the force."""
    def set_to_position(self, kp: float, kv: float | None = ..., dampratio: float | None = ..., timeconst: float | None = ..., inheritrange: float | bool | None = ...) -> None:
        """A position servo."""
    def set_to_intvelocity(self, kp: float, kv: float | None = ..., dampratio: float | None = ..., timeconst: float | None = ..., inheritrange: float | bool | None = ...) -> None:
        """An integrated-velocity servo."""
    def set_to_velocity(self, kv: float) -> None:
        """A velocity servo."""
    def set_to_damper(self, kv: float) -> None:
        """An active damper."""
    def set_to_cylinder(self, timeconst: float, bias: float, area: float, diameter: float = ...) -> None:
        """A pneumatic or hydraulic cylinder."""
    def set_to_muscle(self, timeconst: Any = ..., tausmooth: float | None = ..., range: Any = ..., force: float | None = ..., scale: float | None = ..., lmin: float | None = ..., lmax: float | None = ..., vmax: float | None = ..., fpmax: float | None = ..., fvmax: float | None = ...) -> None:
        """A muscle."""
    def set_to_adhesion(self, gain: float) -> None:
        """Adhesion of a body."""
    def set_to_dcmotor(self, **params: Any) -> None:
        """A DC motor."""
    _fields: Any
    @property
    def name(self) -> str:
        """Name; empty if the element has none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def trntype(self) -> mjtTrn:
        """Field ``trntype`` of a actuator."""
    @trntype.setter
    def trntype(self, value: Any) -> None: ...
    @property
    def target(self) -> str:
        """Field ``target`` of a actuator."""
    @target.setter
    def target(self, value: Any) -> None: ...
    @property
    def slidersite(self) -> str:
        """Field ``slidersite`` of a actuator."""
    @slidersite.setter
    def slidersite(self, value: Any) -> None: ...
    @property
    def refsite(self) -> str:
        """Field ``refsite`` of a actuator."""
    @refsite.setter
    def refsite(self, value: Any) -> None: ...
    @property
    def cranklength(self) -> float:
        """Field ``cranklength`` of a actuator."""
    @cranklength.setter
    def cranklength(self, value: Any) -> None: ...
    @property
    def dyntype(self) -> mjtDyn:
        """Field ``dyntype`` of a actuator."""
    @dyntype.setter
    def dyntype(self, value: Any) -> None: ...
    @property
    def gaintype(self) -> mjtGain:
        """Field ``gaintype`` of a actuator."""
    @gaintype.setter
    def gaintype(self, value: Any) -> None: ...
    @property
    def biastype(self) -> mjtBias:
        """Field ``biastype`` of a actuator."""
    @biastype.setter
    def biastype(self, value: Any) -> None: ...
    @property
    def dynprm(self) -> NDArray[np.float64]:
        """Field ``dynprm`` of a actuator."""
    @dynprm.setter
    def dynprm(self, value: Any) -> None: ...
    @property
    def gainprm(self) -> NDArray[np.float64]:
        """Field ``gainprm`` of a actuator."""
    @gainprm.setter
    def gainprm(self, value: Any) -> None: ...
    @property
    def biasprm(self) -> NDArray[np.float64]:
        """Field ``biasprm`` of a actuator."""
    @biasprm.setter
    def biasprm(self, value: Any) -> None: ...
    @property
    def actdim(self) -> int:
        """Field ``actdim`` of a actuator."""
    @actdim.setter
    def actdim(self, value: Any) -> None: ...
    @property
    def actearly(self) -> int:
        """Field ``actearly`` of a actuator."""
    @actearly.setter
    def actearly(self, value: Any) -> None: ...
    @property
    def group(self) -> int:
        """Field ``group`` of a actuator."""
    @group.setter
    def group(self, value: Any) -> None: ...
    @property
    def ctrllimited(self) -> int:
        """Field ``ctrllimited`` of a actuator."""
    @ctrllimited.setter
    def ctrllimited(self, value: Any) -> None: ...
    @property
    def forcelimited(self) -> int:
        """Field ``forcelimited`` of a actuator."""
    @forcelimited.setter
    def forcelimited(self, value: Any) -> None: ...
    @property
    def actlimited(self) -> int:
        """Field ``actlimited`` of a actuator."""
    @actlimited.setter
    def actlimited(self, value: Any) -> None: ...
    @property
    def ctrlrange(self) -> NDArray[np.float64]:
        """Field ``ctrlrange`` of a actuator."""
    @ctrlrange.setter
    def ctrlrange(self, value: Any) -> None: ...
    @property
    def forcerange(self) -> NDArray[np.float64]:
        """Field ``forcerange`` of a actuator."""
    @forcerange.setter
    def forcerange(self, value: Any) -> None: ...
    @property
    def actrange(self) -> NDArray[np.float64]:
        """Field ``actrange`` of a actuator."""
    @actrange.setter
    def actrange(self, value: Any) -> None: ...
    @property
    def lengthrange(self) -> NDArray[np.float64]:
        """Field ``lengthrange`` of a actuator."""
    @lengthrange.setter
    def lengthrange(self, value: Any) -> None: ...
    @property
    def inheritrange(self) -> float:
        """Field ``inheritrange`` of a actuator."""
    @inheritrange.setter
    def inheritrange(self, value: Any) -> None: ...
    @property
    def gear(self) -> NDArray[np.float64]:
        """Field ``gear`` of a actuator."""
    @gear.setter
    def gear(self, value: Any) -> None: ...
    @property
    def damping(self) -> NDArray[np.float64]:
        """Field ``damping`` of a actuator."""
    @damping.setter
    def damping(self, value: Any) -> None: ...
    @property
    def armature(self) -> float:
        """Field ``armature`` of a actuator."""
    @armature.setter
    def armature(self, value: Any) -> None: ...
    @property
    def nsample(self) -> int:
        """Field ``nsample`` of a actuator."""
    @nsample.setter
    def nsample(self, value: Any) -> None: ...
    @property
    def interp(self) -> int:
        """Field ``interp`` of a actuator."""
    @interp.setter
    def interp(self, value: Any) -> None: ...
    @property
    def delay(self) -> float:
        """Field ``delay`` of a actuator."""
    @delay.setter
    def delay(self, value: Any) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """Field ``userdata`` of a actuator."""
    @userdata.setter
    def userdata(self, value: Any) -> None: ...

class MjsDefault:
    """A default class: the default of every kind of element that has defaults."""
    _kinds: Any
    def __init__(self, spec: Any, name: str, parent: MjsDefault | None, entry: dict[str, Any] | None = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def name(self) -> str:
        """Name."""
    @name.setter
    def name(self, value: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __dir__(self) -> list[str]:
        """Default dir() implementation."""
    _elements: Any
    _name: Any
    _parent: Any
    _spec: Any

def add_fields(cls) -> None:
    """Adds the properties of the fields to a class of elements."""
