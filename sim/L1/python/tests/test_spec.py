"""``MjSpec``: building, editing, parsing, attaching and compiling models."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import sim_physics as sim
from sim_physics import MjSpec, mjtGeom, mjtJoint, mjtObj, mjtSensor, mjtTrn

ARM = """
<mujoco model="arm">
  <option timestep="0.004"/>
  <default>
    <geom density="500"/>
    <default class="thin"><geom size="0.02"/></default>
  </default>
  <asset><material name="steel" rgba=".5 .5 .6 1"/></asset>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 1 0" range="-90 90"/>
      <geom name="rod" class="thin" type="capsule" fromto="0 0 0 0 0 -.3" material="steel"/>
      <frame pos="0 0 -.3">
        <body name="lower">
          <joint name="elbow" axis="0 1 0"/>
          <geom name="tip" class="thin" type="capsule" fromto="0 0 0 0 0 -.2"/>
          <site name="hand" pos="0 0 -.2"/>
        </body>
      </frame>
    </body>
  </worldbody>
  <tendon><fixed name="sum"><joint joint="shoulder" coef="1"/><joint joint="elbow" coef="-1"/></fixed></tendon>
  <actuator><position name="servo" joint="elbow" kp="5"/></actuator>
  <sensor><framepos name="where" objtype="site" objname="hand"/></sensor>
  <keyframe><key name="bent" qpos=".1 .2"/></keyframe>
</mujoco>"""


def test_specs_are_built_and_edited() -> None:
    spec = MjSpec()
    arm = spec.worldbody.add_body(name="arm", pos=[0, 0, 1])
    arm.add_joint(name="swing", axis=[0, 1, 0])
    arm.add_geom(name="rod", type=mjtGeom.mjGEOM_CAPSULE, size=[0.05], fromto=[0, 0, 0, 0, 0, -1])
    motor = spec.add_actuator(name="push", trntype=mjtTrn.mjTRN_JOINT, target="swing")
    motor.set_to_motor()
    model = spec.compile()
    data = sim.MjData(model)
    data.qpos[0] = 0.3
    arm.add_site(name="tip", pos=[0, 0, -1])
    spec.geom("rod").rgba = [1, 0, 0, 1]
    spec.geom("rod").rgba[1] = 0.25
    model, data = spec.recompile(model, data)
    assert model.nsite == 1 and data.qpos[0] == 0.3 and model.geom_rgba[0, 1] == 0.25
    again = MjSpec.from_string(spec.to_xml())
    assert [g.name for g in again.geoms] == ["rod"] and again.geom("rod").type == mjtGeom.mjGEOM_CAPSULE
    again.delete(again.site("tip"))
    assert again.compile().nsite == 0
    assert spec.body("arn") is None


def test_parsed_specs_compile_to_the_same_model() -> None:
    direct = sim.MjModel.from_xml_string(ARM)
    spec = MjSpec.from_string(ARM)
    for model in (spec.compile(), MjSpec.from_string(spec.to_xml()).compile(), spec.copy().compile(),
                  copy.deepcopy(spec).compile()):  # fmt: skip
        assert model.to_bytes() == direct.to_bytes()


def test_parsed_elements_have_values_classes_and_locations() -> None:
    spec = MjSpec.from_string(ARM)
    rod, shoulder = spec.geom("rod"), spec.joint("shoulder")
    assert rod.classname.name == "thin" and rod.density == 500 and rod.size[0] == 0.02 and rod.material == "steel"
    assert rod.parent is spec.body("upper") and spec.body("lower").frame.pos[2] == -0.3
    assert shoulder.type == mjtJoint.mjJNT_HINGE and list(shoulder.range) == [-90, 90]
    assert spec.option.timestep == 0.004 and [w.target.name for w in spec.tendon("sum").path] == ["shoulder", "elbow"]
    rod.size[0] = -1
    with pytest.raises(sim.XMLError, match=r"<string>:12:.*size"):
        spec.compile()


@pytest.mark.parametrize(
    ("keywords", "error"),
    [
        ({"pos": [0, 1]}, ValueError),
        ({"pos": "origin"}, TypeError),
        ({"type": "box"}, TypeError),
        ({"size": [1, 2, 3, 4]}, ValueError),
        ({"radius": 1}, TypeError),
        ({"euler": [0, 0, 1], "zaxis": [0, 0, 1]}, ValueError),
        ({"name": "rod"}, ValueError),
        ({"mass": None, "friction": [[1]]}, ValueError),
    ],
)
def test_wrong_values_raise(keywords: dict[str, object], error: type[Exception]) -> None:
    spec = MjSpec.from_string(ARM)
    with pytest.raises(error):
        spec.worldbody.add_geom(**keywords)


def test_attached_specs_keep_units_names_and_keyframes() -> None:
    scene = MjSpec()
    scene.compiler.degree = False
    arms = [MjSpec.from_string(ARM) for _ in range(2)]
    for arm, name in zip(arms, ("left_", "right_")):
        frame = scene.worldbody.add_frame(pos=[0, len(name), 1])
        scene.attach(arm, prefix=name, frame=frame)
    # the elements of an attached spec stay connected
    arms[1].geom("right_rod")
    arms[0].body("left_lower").pos = [0, 0, 0.1]
    model = scene.compile()
    assert (model.nbody, model.nu, model.nsensor, model.ntendon, model.nkey) == (5, 2, 2, 2, 2)
    assert abs(model.joint("right_shoulder").range[1] - np.pi / 2) < 1e-12
    assert model.body("left_upper").pos[1] == 5 and model.body("left_lower").pos[2] == pytest.approx(-0.2)
    np.testing.assert_allclose(model.key("right_bent").qpos, [0, 0, 0.1, 0.2])
    with pytest.raises(ValueError, match="attached"):
        arms[0].compile()
    again = MjSpec.from_string(scene.to_xml()).compile()
    np.testing.assert_allclose(again.body_pos, model.body_pos)


def test_one_body_is_attached_with_what_refers_to_it() -> None:
    arm, scene = MjSpec.from_string(ARM), MjSpec()
    site = scene.worldbody.add_site(name="base", pos=[1, 0, 0])
    body = site.attach_body(arm.body("lower"), "a_", "_z")
    assert body.name == "a_lower_z" and scene.body("a_lower_z") is body
    model = scene.compile()
    # the tendon also refers to the shoulder, which is not attached
    assert (model.njnt, model.nu, model.nsensor, model.ntendon) == (1, 1, 1, 0)
    copied = scene.worldbody.add_frame(pos=[2, 0, 0]).attach_body(body, "b_", "")
    assert copied is not body and scene.compile().njnt == 2


def test_bodies_are_deleted_with_references() -> None:
    spec = MjSpec.from_string(ARM)
    spec.delete(spec.key("bent"))
    spec.delete(spec.body("lower"))
    model = spec.compile()
    assert (model.nbody, model.nu, model.nsensor, model.ntendon) == (2, 0, 0, 0)
    with pytest.raises(ValueError):
        spec.delete(spec.worldbody)


def test_elements_bind_to_arrays() -> None:
    spec = MjSpec.from_string(ARM)
    model = spec.compile()
    data = sim.MjData(model)
    data.bind(spec.joints).qpos = [0.5, 0.6]
    assert list(data.qpos) == [0.5, 0.6] and data.bind(spec.joint("elbow")).qpos[0] == 0.6
    sim.mj_forward(model, data)
    np.testing.assert_array_equal(data.bind(spec.sensor("where")).data, data.bind(spec.site("hand")).xpos)
    spec.worldbody.add_body()
    with pytest.raises(ValueError, match="recompile"):
        model.bind(spec.joint("elbow"))


def test_assets_meshes_and_textures() -> None:
    spec = MjSpec()
    spec.assets = {"cube.obj": "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))}
    spec.add_mesh(file="cube.obj")
    ball = spec.add_mesh(name="ball")
    ball.make_sphere(subdivision=1)
    texture = spec.add_texture(name="dots", type=sim.mjtTexture.mjTEXTURE_2D, width=2, height=1, data=bytes(range(6)))
    material = spec.add_material(name="dotted")
    material.textures[sim.mjtTextureRole.mjTEXROLE_RGB] = "dots"
    for mesh in ("cube", "ball"):
        spec.worldbody.add_geom(type=mjtGeom.mjGEOM_MESH, meshname=mesh, material="dotted")
    model = spec.compile()
    assert list(model.mesh_vertnum) == [8, 42] and bytes(model.tex_data) == texture.data
    texture.data = b"\0\1"
    with pytest.raises(sim.XMLError, match="2 bytes"):
        spec.compile()
    field = spec.add_hfield(name="ramp", nrow=2, ncol=3, size=[1, 1, 1, 0.1], userdata=[0, 0, 0, 1, 1, 1])
    spec.delete(texture)
    spec.delete(material)
    for geom in spec.geoms:
        geom.material = ""
    assert list(spec.compile().hfield_data) == list(field.userdata)


def test_settings_of_specs() -> None:
    spec = MjSpec()
    spec.option.timestep = 0.01
    spec.option.gravity[2] = -1
    spec.stat.extent = 7
    spec.visual.rgba.camera = [0, 1, 0, 1]
    spec.nuserdata = 3
    model = spec.compile()
    assert (model.opt.timestep, model.opt.gravity[2], model.stat.extent, model.nuserdata) == (0.01, -1, 7, 3)
    assert list(model.vis.rgba.camera) == [0, 1, 0, 1]
    copied = spec.copy()
    copied.option.timestep = 0.02
    assert spec.compile().opt.timestep == 0.01 and copied.compile().opt.timestep == 0.02


def test_invalid_sensors_are_reported() -> None:
    spec = MjSpec()
    spec.worldbody.add_geom(name="ball", size=[1])
    spec.add_sensor(type=mjtSensor.mjSENS_CONTACT, objtype=mjtObj.mjOBJ_GEOM, objname="ball", intprm=[1, 9, 0])
    with pytest.raises(sim.XMLError, match="intprm") as caught:
        spec.compile()
    assert len(caught.value.errors) == 2
