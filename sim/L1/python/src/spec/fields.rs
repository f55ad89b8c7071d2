//! The fields of the elements of a spec: MuJoCo's names of `mjs*` structs and the fields of our structs.

use super::value::{Bytes, Names, OrNan, OrNans, Value};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sim_physics::mjcf::spec::{
    Actuator, Body, Camera, Compiler, Equality, Exclude, Flex, Frame, Geom, HField, Joint, Key,
    Light, Material, Mesh, Numeric, Orientation, Pair, PluginRef, Sensor, Site, Sizes, Skin,
    SkinBone, Tendon, Text, Texture, Tuple, TupleElement,
};
use sim_physics::types::ObjType;
use std::sync::Arc;

/// An element whose fields are converted to and from a dictionary.
pub trait Fields: Default {
    /// Kind of the element in Python.
    const KIND: &'static str;

    /// Adds the fields to a dictionary.
    ///
    /// # Errors
    /// If Python has no memory.
    fn get(&mut self, out: &Bound<'_, PyDict>) -> PyResult<()>;

    /// Sets the fields that are in a dictionary.
    ///
    /// # Errors
    /// If a value has the wrong type, size or number; the message names the field.
    fn set(&mut self, from: &Bound<'_, PyDict>) -> PyResult<()>;
}

/// Sets one value from a dictionary.
fn set_one(
    value: &mut dyn Value,
    kind: &str,
    name: &str,
    from: &Bound<'_, PyDict>,
) -> PyResult<()> {
    let Some(object) = from.get_item(name)? else { return Ok(()) };
    value.set(&object).map_err(|error| {
        let message = format!("{kind} attribute '{name}': {}", error.value(from.py()));
        PyErr::from_type(error.get_type(from.py()), (message,))
    })
}

/// Declares the fields: `python_name: expression`, with the element bound to a variable.
macro_rules! fields {
    ($($type:ident $kind:literal |$this:ident| { $($name:ident: $value:expr;)* } $(+ $also:ident)?)*) => {
        $(impl Fields for $type {
            const KIND: &'static str = $kind;

            fn get(&mut self, out: &Bound<'_, PyDict>) -> PyResult<()> {
                let $this = self;
                $(out.set_item(stringify!($name), Value::get(&mut $value, out.py())?)?;)*
                $($also::get($this, out)?;)?
                Ok(())
            }

            fn set(&mut self, from: &Bound<'_, PyDict>) -> PyResult<()> {
                let $this = self;
                $(set_one(&mut $value, $kind, stringify!($name), from)?;)*
                $($also::set($this, from)?;)?
                Ok(())
            }
        })*
    };
}

fields! {
    Body "body" |b| {
        name: b.name; pos: b.pos; mocap: b.mocap; gravcomp: b.gravcomp; sleep: b.sleep; userdata: b.user;
    } + body
    Frame "frame" |f| { name: f.name; pos: f.pos; } + frame
    Joint "joint" |j| {
        name: j.name; type: j.jtype; group: j.group; pos: j.pos; axis: j.axis; align: j.align;
        springdamper: j.springdamper; limited: j.limited; actfrclimited: j.actfrclimited;
        solref_limit: j.solref_limit; solimp_limit: j.solimp_limit; solref_friction: j.solref_friction;
        solimp_friction: j.solimp_friction; stiffness: j.stiffness; range: j.range; actfrcrange: j.actfrcrange;
        actgravcomp: j.actgravcomp; margin: j.margin; ref: j.reference; springref: j.springref;
        armature: j.armature; damping: j.damping; frictionloss: j.frictionloss; userdata: j.user;
    }
    Geom "geom" |g| {
        name: g.name; type: g.gtype; contype: g.contype; conaffinity: g.conaffinity; condim: g.condim;
        group: g.group; priority: g.priority; size: g.size; friction: g.friction; mass: OrNan(&mut g.mass);
        density: g.density; typeinertia: g.shellinertia; solmix: g.solmix; solref: g.solref; solimp: g.solimp;
        margin: g.margin; gap: g.gap; fromto: OrNans(&mut g.fromto); pos: g.pos; rgba: g.rgba;
        material: g.material; meshname: g.mesh; hfieldname: g.hfield; fitscale: g.fitscale;
        fluid_ellipsoid: g.fluidshape; fluid_coefs: g.fluidcoef; userdata: g.user;
    } + geom
    Site "site" |s| {
        name: s.name; type: s.stype; group: s.group; size: s.size; fromto: OrNans(&mut s.fromto); pos: s.pos;
        rgba: s.rgba; material: s.material; userdata: s.user;
    } + site
    Camera "camera" |c| {
        name: c.name; mode: c.mode; targetbody: c.target; proj: c.projection; fovy: c.fovy; ipd: c.ipd;
        resolution: c.resolution; output: c.output; pos: c.pos; focal_length: c.focal; focal_pixel: c.focalpixel;
        principal_length: c.principal; principal_pixel: c.principalpixel; sensor_size: c.sensorsize;
        userdata: c.user;
    } + camera
    Light "light" |l| {
        name: l.name; mode: l.mode; targetbody: l.target; type: l.ltype; texture: l.texture;
        castshadow: l.castshadow; active: l.active; pos: l.pos; dir: l.dir; bulbradius: l.bulbradius;
        intensity: l.intensity; range: l.range; attenuation: l.attenuation; cutoff: l.cutoff;
        exponent: l.exponent; ambient: l.ambient; diffuse: l.diffuse; specular: l.specular;
    }
    Mesh "mesh" |m| {
        name: m.name; content_type: m.content_type; file: m.file; uservert: m.vertex; usernormal: m.normal;
        usertexcoord: m.texcoord; userface: m.face; refpos: m.refpos; refquat: m.refquat; scale: m.scale;
        smoothnormal: m.smoothnormal; maxhullvert: m.maxhullvert; inertia: m.inertia; collider: m.collider;
        builtin: m.builtin; params: m.params; material: m.material;
    } + mesh
    HField "hfield" |h| {
        name: h.name; content_type: h.content_type; file: h.file; nrow: h.nrow; ncol: h.ncol; size: h.size;
    } + hfield
    Texture "texture" |t| {
        name: t.name; type: t.ttype; colorspace: t.colorspace; content_type: t.content_type; file: t.file;
        gridsize: t.gridsize; gridlayout: t.gridlayout; builtin: t.builtin; rgb1: t.rgb1; rgb2: t.rgb2;
        mark: t.mark; markrgb: t.markrgb; random: t.random; width: t.width; height: t.height; hflip: t.hflip;
        vflip: t.vflip; nchannel: t.nchannel; data: Bytes(&mut t.data);
    } + texture
    Material "material" |m| {
        name: m.name; texuniform: m.texuniform; texrepeat: m.texrepeat; emission: m.emission;
        specular: m.specular; shininess: m.shininess; reflectance: m.reflectance; metallic: m.metallic;
        roughness: m.roughness; rgba: m.rgba;
    } + material
    Pair "pair" |p| {
        name: p.name; geomname1: p.geom1; geomname2: p.geom2; condim: p.condim; friction: p.friction;
        solref: p.solref; solreffriction: p.solreffriction; solimp: p.solimp; margin: p.margin; gap: p.gap;
    }
    Exclude "exclude" |e| { name: e.name; bodyname1: e.body1; bodyname2: e.body2; }
    Equality "equality" |e| {
        name: e.name; type: e.etype; objtype: e.objtype; name1: e.name1; name2: e.name2; active: e.active;
        solref: e.solref; solimp: e.solimp; data: e.data;
    } + equality
    Tendon "tendon" |t| {
        name: t.name; group: t.group; limited: t.limited; actfrclimited: t.actfrclimited; range: t.range;
        actfrcrange: t.actfrcrange; solref_limit: t.solref_limit; solimp_limit: t.solimp_limit;
        solref_friction: t.solref_friction; solimp_friction: t.solimp_friction; frictionloss: t.frictionloss;
        springlength: t.springlength; width: t.width; material: t.material; margin: t.margin;
        stiffness: t.stiffness; damping: t.damping; armature: t.armature; rgba: t.rgba; userdata: t.user;
    }
    Actuator "actuator" |a| {
        name: a.name; trntype: a.trntype; target: a.target; slidersite: a.slidersite; refsite: a.refsite;
        cranklength: a.cranklength; dyntype: a.dyntype; gaintype: a.gaintype; biastype: a.biastype;
        dynprm: a.dynprm; gainprm: a.gainprm; biasprm: a.biasprm; actdim: a.actdim; actearly: a.actearly;
        group: a.group; ctrllimited: a.ctrllimited; forcelimited: a.forcelimited; actlimited: a.actlimited;
        ctrlrange: a.ctrlrange; forcerange: a.forcerange; actrange: a.actrange; lengthrange: a.lengthrange;
        inheritrange: a.inheritrange; gear: a.gear; damping: a.damping; armature: a.armature;
        nsample: a.nsample; interp: a.interp; delay: a.delay; userdata: a.user;
    } + actuator
    Sensor "sensor" |s| {
        name: s.name; type: s.stype; objtype: s.objtype; objname: s.objname; reftype: s.reftype;
        refname: s.refname; intprm: s.intprm; dim: s.dim; datatype: s.datatype; needstage: s.needstage;
        cutoff: s.cutoff; noise: s.noise; nsample: s.nsample; interp: s.interp; delay: s.delay;
        interval: s.interval; userdata: s.user;
    } + sensor
    Flex "flex" |f| {
        name: f.name; group: f.group; dim: f.dim; radius: f.radius; material: f.material; rgba: f.rgba;
        flatskin: f.flatskin; contype: f.contype; conaffinity: f.conaffinity; condim: f.condim;
        priority: f.priority; friction: f.friction; solmix: f.solmix; solref: f.solref; solimp: f.solimp;
        margin: f.margin; gap: f.gap; internal: f.internal; selfcollide: f.selfcollide;
        activelayers: f.activelayers; passive: f.passive; edgestiffness: f.edgestiffness;
        edgedamping: f.edgedamping; young: f.young; poisson: f.poisson; damping: f.damping;
        thickness: f.thickness; elastic2d: f.elastic2d; order: f.order; cellcount: f.cellcount; vert: f.vert;
        node: f.node; elem: f.elem; texcoord: f.texcoord; elemtexcoord: f.elemtexcoord;
        cell_empty: f.cell_empty;
    } + flex
    Skin "skin" |s| {
        name: s.name; file: s.file; material: s.material; rgba: s.rgba; inflate: s.inflate; group: s.group;
        vert: s.vertex; texcoord: s.texcoord; face: s.face;
    } + skin
    Numeric "numeric" |n| { name: n.name; data: n.data; } + numeric
    Text "text" |t| { name: t.name; data: t.data; }
    Tuple "tuple" |t| { name: t.name; } + tuple
    Key "key" |k| {
        name: k.name; time: k.time; qpos: k.qpos; qvel: k.qvel; act: k.act; ctrl: k.ctrl; mpos: k.mpos;
        mquat: k.mquat;
    }
    Compiler "compiler" |c| {
        autolimits: c.autolimits; boundmass: c.boundmass; boundinertia: c.boundinertia;
        settotalmass: c.settotalmass; balanceinertia: c.balanceinertia; degree: c.angle; eulerseq: c.eulerseq;
        inertiafromgeom: c.inertiafromgeom; inertiagrouprange: c.inertiagrouprange; saveinertial: c.saveinertial;
        meshdir: c.meshdir; texturedir: c.texturedir; strippath: c.strippath; fitaabb: c.fitaabb;
        discardvisual: c.discardvisual; fusestatic: c.fusestatic; alignfree: c.alignfree; usethread: c.usethread;
    }
    Sizes "size" |s| {
        njmax: s.njmax; nconmax: s.nconmax; nstack: s.nstack; nuserdata: s.nuserdata; nkey: s.nkey;
        nuser_body: s.nuser_body; nuser_jnt: s.nuser_jnt; nuser_geom: s.nuser_geom; nuser_site: s.nuser_site;
        nuser_cam: s.nuser_cam; nuser_tendon: s.nuser_tendon; nuser_actuator: s.nuser_actuator;
        nuser_sensor: s.nuser_sensor;
    } + size
}

/// Fields that are represented differently in Python: orientations, plugins, lists of names.
macro_rules! special {
    ($($module:ident: $type:ident |$this:ident, $dict:ident| get $get:block set $set:block)*) => {
        $(mod $module {
            use super::*;

            pub fn get($this: &mut $type, $dict: &Bound<'_, PyDict>) -> PyResult<()> $get

            pub fn set($this: &mut $type, $dict: &Bound<'_, PyDict>) -> PyResult<()> $set
        })*
    };
}

/// Writes an orientation as `quat` and `alt`: the type and the values of an alternative specifier.
fn get_orientation(o: &Orientation, prefix: &str, out: &Bound<'_, PyDict>) -> PyResult<()> {
    let (number, values): (i32, &[f64]) = match o {
        Orientation::Quat(_) => (0, &[]),
        Orientation::AxisAngle(v) => (1, v),
        Orientation::XyAxes(v) => (2, v),
        Orientation::ZAxis(v) => (3, v),
        Orientation::Euler(v) => (4, v),
    };
    let quat = if let Orientation::Quat(quat) = o { *quat } else { [1.0, 0.0, 0.0, 0.0] };
    out.set_item(format!("{prefix}quat"), quat.get(out.py())?)?;
    out.set_item(format!("{prefix}alt"), (number, values.to_vec()))
}

fn set_orientation(o: &mut Orientation, prefix: &str, from: &Bound<'_, PyDict>) -> PyResult<()> {
    let alternative = from.get_item(format!("{prefix}alt"))?;
    let (number, values): (i32, Vec<f64>) = match alternative {
        Some(alternative) => alternative.extract()?,
        None => (0, Vec::new()),
    };
    let size = |_| crate::error::shape("an orientation has the wrong number of values");
    *o = match number {
        1 => Orientation::AxisAngle(values.try_into().map_err(size)?),
        2 => Orientation::XyAxes(values.try_into().map_err(size)?),
        3 => Orientation::ZAxis(values.try_into().map_err(size)?),
        4 => Orientation::Euler(values.try_into().map_err(size)?),
        _ => {
            let mut quat = [1.0, 0.0, 0.0, 0.0];
            set_one(&mut quat, "orientation", &format!("{prefix}quat"), from)?;
            Orientation::Quat(quat)
        }
    };
    Ok(())
}

fn get_plugin(plugin: Option<&PluginRef>, out: &Bound<'_, PyDict>) -> PyResult<()> {
    let Some(p) = plugin else { return out.set_item("plugin", out.py().None()) };
    let config = PyDict::new(out.py());
    for (key, value) in &p.config {
        config.set_item(key, value)?;
    }
    out.set_item("plugin", (&p.instance, &p.plugin, config))
}

fn set_plugin(plugin: &mut Option<Box<PluginRef>>, from: &Bound<'_, PyDict>) -> PyResult<()> {
    *plugin = None;
    let Some(object) = from.get_item("plugin")?.filter(|object| !object.is_none()) else {
        return Ok(());
    };
    let (instance, name, config): (String, String, Bound<'_, PyDict>) = object.extract()?;
    let mut values = Vec::new();
    for (key, value) in config {
        values.push((key.extract()?, value.extract()?));
    }
    *plugin = Some(Box::new(PluginRef {
        plugin: name,
        instance,
        config: values,
        ..PluginRef::default()
    }));
    Ok(())
}

/// Rows of elevations in the other order: MJCF lists the row of maximum y first, Python the row of minimum y.
fn flip_rows(values: &[f32], ncol: i32) -> Arc<[f32]> {
    let ncol = usize::try_from(ncol).unwrap_or(0).max(1);
    values.rchunks(ncol).flatten().copied().collect()
}

fn set_names(list: &mut Vec<String>, name: &str, from: &Bound<'_, PyDict>) -> PyResult<()> {
    let mut names = Names::default();
    set_one(&mut names, "element", name, from)?;
    *list = names.0;
    Ok(())
}

special! {
    body: Body |b, dict| get {
        get_orientation(&b.orientation, "", dict)?;
        get_plugin(b.plugin.as_deref(), dict)?;
        let inertial = b.inertial.clone();
        let explicit = inertial.is_some();
        let i = inertial.unwrap_or_default();
        get_orientation(&i.orientation, "i", dict)?;
        dict.set_item("mass", i.mass)?;
        let pos = if explicit { i.pos } else { [f64::NAN, 0.0, 0.0] };
        dict.set_item("ipos", pos.get(dict.py())?)?;
        dict.set_item("inertia", i.diaginertia.unwrap_or([0.0; 3]).get(dict.py())?)?;
        dict.set_item("fullinertia", OrNans(&mut i.fullinertia.clone()).get(dict.py())?)?;
        dict.set_item("explicitinertial", i32::from(explicit))
    } set {
        set_orientation(&mut b.orientation, "", dict)?;
        set_plugin(&mut b.plugin, dict)?;
        let (mut pos, mut explicit) = ([f64::NAN, 0.0, 0.0], false);
        set_one(&mut pos, "body", "ipos", dict)?;
        set_one(&mut explicit, "body", "explicitinertial", dict)?;
        b.inertial = None;
        if pos[0].is_nan() && !explicit {
            return Ok(());
        }
        let pos = if pos[0].is_nan() { [0.0; 3] } else { pos };
        let mut i = sim_physics::mjcf::spec::Inertial { pos, origin: b.origin, ..Default::default() };
        set_orientation(&mut i.orientation, "i", dict)?;
        set_one(&mut i.mass, "body", "mass", dict)?;
        set_one(&mut OrNans(&mut i.fullinertia), "body", "fullinertia", dict)?;
        if i.fullinertia.is_none() {
            let mut diagonal = [0.0; 3];
            set_one(&mut diagonal, "body", "inertia", dict)?;
            i.diaginertia = Some(diagonal);
        }
        b.inertial = Some(i);
        Ok(())
    }
    frame: Frame |f, dict| get { get_orientation(&f.orientation, "", dict) } set {
        set_orientation(&mut f.orientation, "", dict)
    }
    geom: Geom |g, dict| get {
        get_orientation(&g.orientation, "", dict)?;
        get_plugin(g.plugin.as_deref(), dict)
    } set {
        set_orientation(&mut g.orientation, "", dict)?;
        set_plugin(&mut g.plugin, dict)
    }
    site: Site |s, dict| get { get_orientation(&s.orientation, "", dict) } set {
        set_orientation(&mut s.orientation, "", dict)
    }
    camera: Camera |c, dict| get { get_orientation(&c.orientation, "", dict) } set {
        set_orientation(&mut c.orientation, "", dict)
    }
    mesh: Mesh |m, dict| get { get_plugin(m.plugin.as_deref(), dict) } set { set_plugin(&mut m.plugin, dict) }
    actuator: Actuator |a, dict| get { get_plugin(a.plugin.as_deref(), dict) } set {
        set_plugin(&mut a.plugin, dict)
    }
    sensor: Sensor |s, dict| get { get_plugin(s.plugin.as_deref(), dict) } set {
        s.element = Sensor::on(s.stype, "").element;
        set_plugin(&mut s.plugin, dict)
    }
    hfield: HField |h, dict| get {
        dict.set_item("userdata", flip_rows(&h.elevation, h.ncol).get(dict.py())?)
    } set {
        set_one(&mut h.elevation, "hfield", "userdata", dict)?;
        h.elevation = flip_rows(&h.elevation, h.ncol);
        Ok(())
    }
    texture: Texture |t, dict| get { dict.set_item("cubefiles", t.cubefiles.to_vec()) } set {
        let mut files = Vec::new();
        set_names(&mut files, "cubefiles", dict)?;
        files.resize(t.cubefiles.len(), String::new());
        t.cubefiles.clone_from_slice(&files);
        Ok(())
    }
    material: Material |m, dict| get { dict.set_item("textures", m.textures.to_vec()) } set {
        let mut textures = Vec::new();
        set_names(&mut textures, "textures", dict)?;
        textures.resize(m.textures.len(), String::new());
        m.textures.clone_from_slice(&textures);
        Ok(())
    }
    equality: Equality |e, _dict| get {
        let _ = e;
        Ok(())
    } set {
        use sim_physics::types::EqType;
        e.element = match e.etype {
            EqType::Weld => "weld",
            EqType::Joint => "joint",
            EqType::Tendon => "tendon",
            EqType::Flex => "flex",
            EqType::FlexVert => "flexvert",
            EqType::FlexStrain => "flexstrain",
            _ => "connect",
        };
        Ok(())
    }
    flex: Flex |f, dict| get {
        dict.set_item("vertbody", &f.vertbody)?;
        dict.set_item("nodebody", &f.nodebody)
    } set {
        set_names(&mut f.vertbody, "vertbody", dict)?;
        set_names(&mut f.nodebody, "nodebody", dict)
    }
    skin: Skin |s, dict| get {
        let py = dict.py();
        let names: Vec<&str> = s.bones.iter().map(|b| b.body.as_str()).collect();
        dict.set_item("bodyname", names)?;
        let pos: Vec<f32> = s.bones.iter().flat_map(|b| b.bindpos).collect();
        dict.set_item("bindpos", pos.get(py)?)?;
        let quat: Vec<f32> = s.bones.iter().flat_map(|b| b.bindquat).collect();
        dict.set_item("bindquat", quat.get(py)?)?;
        let ids: Vec<Vec<i32>> = s.bones.iter().map(|b| b.vertid.to_vec()).collect();
        dict.set_item("vertid", ids)?;
        let weights: Vec<Vec<f32>> = s.bones.iter().map(|b| b.vertweight.to_vec()).collect();
        dict.set_item("vertweight", weights)
    } set {
        let mut names = Vec::new();
        set_names(&mut names, "bodyname", dict)?;
        let (mut pos, mut quat) = (Vec::<f32>::new(), Vec::<f32>::new());
        set_one(&mut pos, "skin", "bindpos", dict)?;
        set_one(&mut quat, "skin", "bindquat", dict)?;
        let list = |name: &str| dict.get_item(name);
        let ids: Vec<Vec<i32>> = list("vertid")?.map_or(Ok(Vec::new()), |x| x.extract())?;
        let weights: Vec<Vec<f32>> = list("vertweight")?.map_or(Ok(Vec::new()), |x| x.extract())?;
        let count = names.len();
        if pos.len() != 3 * count || quat.len() != 4 * count || ids.len() != count || weights.len() != count {
            let message = "skin: bodyname, bindpos, bindquat, vertid and vertweight have different numbers of bones";
            return Err(crate::error::shape(message));
        }
        s.bones = Vec::with_capacity(count);
        for (i, body) in names.into_iter().enumerate() {
            s.bones.push(SkinBone {
                body,
                bindpos: std::array::from_fn(|k| pos[3 * i + k]),
                bindquat: std::array::from_fn(|k| quat[4 * i + k]),
                vertid: ids[i].clone().into(),
                vertweight: weights[i].clone().into(),
            });
        }
        Ok(())
    }
    numeric: Numeric |n, dict| get { dict.set_item("size", n.data.len()) } set {
        let mut size = 0_i32;
        set_one(&mut size, "numeric", "size", dict)?;
        let size = usize::try_from(size).unwrap_or(0);
        if size > n.data.len() {
            n.data.resize(size, 0.0);
        }
        Ok(())
    }
    tuple: Tuple |t, dict| get {
        let types: Vec<i32> = t.elements.iter().map(|e| e.objtype.number()).collect();
        dict.set_item("objtype", types.get(dict.py())?)?;
        let names: Vec<&str> = t.elements.iter().map(|e| e.objname.as_str()).collect();
        dict.set_item("objname", names)?;
        let numbers: Vec<f64> = t.elements.iter().map(|e| e.prm).collect();
        dict.set_item("objprm", numbers.get(dict.py())?)
    } set {
        let (mut types, mut names, mut numbers) = (Vec::<i32>::new(), Vec::new(), Vec::<f64>::new());
        set_one(&mut types, "tuple", "objtype", dict)?;
        set_names(&mut names, "objname", dict)?;
        set_one(&mut numbers, "tuple", "objprm", dict)?;
        if types.len() != names.len() || numbers.len() > names.len() {
            let message = "tuple: objtype, objname and objprm have different numbers of elements";
            return Err(crate::error::shape(message));
        }
        numbers.resize(names.len(), 0.0);
        let element = |((number, objname), prm): ((&i32, String), &f64)| {
            let objtype = ObjType::from_number(*number).unwrap_or_default();
            TupleElement { objtype, objname, prm: *prm, ..TupleElement::default() }
        };
        t.elements = types.iter().zip(names).zip(&numbers).map(element).collect();
        Ok(())
    }
    size: Sizes |s, dict| get {
        dict.set_item("memory", s.memory.map_or(-1, |n| i64::try_from(n).unwrap_or(i64::MAX)))
    } set {
        let memory = dict.get_item("memory")?.map_or(Ok(-1), |x| x.extract::<i64>())?;
        s.memory = u64::try_from(memory).ok();
        Ok(())
    }
}
