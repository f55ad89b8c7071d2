//! Reference validation of a loaded model: every id and address must be in range.

use crate::{FieldView, Model};
use sim_types::{EqType, GeomType, ObjType, TransmissionType, WrapType};
use std::collections::HashMap;

/// Arrays of ids and addresses: the array, the size it indexes, and the array with the number of elements that
/// start at each address (empty for single references). −1 means none.
const REFERENCES: &[(&str, &str, &str)] = &[
    ("body_parentid", "nbody", ""),
    ("body_rootid", "nbody", ""),
    ("body_weldid", "nbody", ""),
    ("body_mocapid", "nmocap", ""),
    ("body_jntadr", "njnt", "body_jntnum"),
    ("body_dofadr", "nv", "body_dofnum"),
    ("body_geomadr", "ngeom", "body_geomnum"),
    ("body_treeid", "ntree", ""),
    ("body_bvhadr", "nbvh", "body_bvhnum"),
    ("jnt_qposadr", "nq", ""),
    ("jnt_dofadr", "nv", ""),
    ("jnt_bodyid", "nbody", ""),
    ("jnt_actuatorid", "nu", ""),
    ("dof_bodyid", "nbody", ""),
    ("dof_jntid", "njnt", ""),
    ("dof_parentid", "nv", ""),
    ("dof_treeid", "ntree", ""),
    ("dof_Madr", "nM", ""),
    ("tree_bodyadr", "nbody", "tree_bodynum"),
    ("tree_dofadr", "nv", "tree_dofnum"),
    ("geom_bodyid", "nbody", ""),
    ("geom_matid", "nmat", ""),
    ("site_bodyid", "nbody", ""),
    ("site_matid", "nmat", ""),
    ("cam_bodyid", "nbody", ""),
    ("cam_targetbodyid", "nbody", ""),
    ("light_bodyid", "nbody", ""),
    ("light_targetbodyid", "nbody", ""),
    ("light_texid", "ntex", ""),
    ("mesh_vertadr", "nmeshvert", "mesh_vertnum"),
    ("mesh_normaladr", "nmeshnormal", "mesh_normalnum"),
    ("mesh_texcoordadr", "nmeshtexcoord", "mesh_texcoordnum"),
    ("mesh_faceadr", "nmeshface", "mesh_facenum"),
    ("mesh_bvhadr", "nbvh", "mesh_bvhnum"),
    ("mesh_octadr", "noct", "mesh_octnum"),
    ("mesh_graphadr", "nmeshgraph", ""),
    ("mesh_polyadr", "nmeshpoly", "mesh_polynum"),
    ("mesh_polyvertadr", "nmeshpolyvert", "mesh_polyvertnum"),
    ("mesh_polymapadr", "nmeshpolymap", "mesh_polymapnum"),
    ("mesh_pathadr", "npaths", ""),
    ("hfield_adr", "nhfielddata", ""),
    ("hfield_pathadr", "npaths", ""),
    ("tex_pathadr", "npaths", ""),
    ("mat_texid", "ntex", ""),
    ("pair_geom1", "ngeom", ""),
    ("pair_geom2", "ngeom", ""),
    ("tendon_adr", "nwrap", "tendon_num"),
    ("tendon_matid", "nmat", ""),
    ("tendon_treeid", "ntree", ""),
    ("tendon_actuatorid", "nu", ""),
    ("ten_J_rowadr", "nJten", "ten_J_rownnz"),
    ("ten_J_colind", "nv", ""),
    ("actuator_actadr", "na", "actuator_actnum"),
    ("actuator_historyadr", "nhistory", ""),
    ("sensor_adr", "nsensordata", "sensor_dim"),
    ("sensor_historyadr", "nhistory", ""),
    ("body_plugin", "nplugin", ""),
    ("geom_plugin", "nplugin", ""),
    ("actuator_plugin", "nplugin", ""),
    ("sensor_plugin", "nplugin", ""),
    ("plugin_stateadr", "npluginstate", "plugin_statenum"),
    ("plugin_attradr", "npluginattr", ""),
    ("numeric_adr", "nnumericdata", "numeric_size"),
    ("text_adr", "ntextdata", "text_size"),
    ("tuple_adr", "ntupledata", "tuple_size"),
    ("B_rowadr", "nB", "B_rownnz"),
    ("B_colind", "nv", ""),
    ("M_rowadr", "nC", "M_rownnz"),
    ("M_colind", "nv", ""),
    ("D_rowadr", "nD", "D_rownnz"),
    ("D_colind", "nv", ""),
    ("mapM2M", "nM", ""),
    ("mapM2D", "nC", ""),
    ("mapD2M", "nD", ""),
    ("name_bodyadr", "nnames", ""),
    ("name_jntadr", "nnames", ""),
    ("name_geomadr", "nnames", ""),
    ("name_siteadr", "nnames", ""),
    ("name_camadr", "nnames", ""),
    ("name_lightadr", "nnames", ""),
    ("name_flexadr", "nnames", ""),
    ("name_meshadr", "nnames", ""),
    ("name_hfieldadr", "nnames", ""),
    ("name_texadr", "nnames", ""),
    ("name_matadr", "nnames", ""),
    ("name_pairadr", "nnames", ""),
    ("name_excludeadr", "nnames", ""),
    ("name_eqadr", "nnames", ""),
    ("name_tendonadr", "nnames", ""),
    ("name_actuatoradr", "nnames", ""),
    ("name_sensoradr", "nnames", ""),
    ("name_numericadr", "nnames", ""),
    ("name_textadr", "nnames", ""),
    ("name_tupleadr", "nnames", ""),
    ("name_keyadr", "nnames", ""),
    ("name_pluginadr", "nnames", ""),
];

/// Arrays in which −1 is not allowed.
const REQUIRED: &[&str] = &[
    "body_parentid",
    "body_rootid",
    "body_weldid",
    "jnt_qposadr",
    "jnt_dofadr",
    "jnt_bodyid",
    "dof_bodyid",
    "dof_jntid",
    "dof_treeid",
    "geom_bodyid",
    "site_bodyid",
    "cam_bodyid",
    "light_bodyid",
    "M_colind",
    "B_colind",
    "D_colind",
    "ten_J_colind",
    "mapM2M",
    "tendon_adr",
    "ten_J_rowadr",
    "M_rowadr",
    "dof_Madr",
    "tree_dofadr",
];

/// Checks every reference; returns the name of an invalid array.
pub(super) fn references(m: &Model) -> Result<(), String> {
    let mut sizes = HashMap::new();
    m.sizes().visit(&mut |name, n| {
        sizes.insert(name, i64::try_from(n).unwrap_or(i64::MAX));
    });
    let ints = |name: &str| match m.field(name) {
        Some(FieldView::I32(list)) => list.into_owned(),
        _ => Vec::new(),
    };
    for &(name, size, count) in REFERENCES {
        let limit = sizes.get(size).copied().unwrap_or(0);
        let counts = ints(count);
        let least = match name {
            // −2: several actuators
            "jnt_actuatorid" | "tendon_actuatorid" => -2,
            name if REQUIRED.contains(&name) => 0,
            _ => -1,
        };
        for (i, &start) in ints(name).iter().enumerate() {
            let start = i64::from(start);
            let n = i64::from(counts.get(i).copied().unwrap_or(1));
            // −1 requires a count of zero; the address of an empty range may be the end
            let has_count = !count.is_empty();
            let inside = if start < 0 { !has_count || n == 0 } else { start + n <= limit };
            if start < least || n < 0 || !inside {
                return Err(name.to_owned());
            }
        }
    }
    tree(m)?;
    shapes(m)?;
    objects(m, &sizes)?;
    if m.names.last().is_some_and(|&byte| byte != 0) || m.paths.last().is_some_and(|&b| b != 0) {
        return Err("names".to_owned());
    }
    Ok(())
}

/// Checks that parents have lower indices than their children, and that the coordinates of joints are in
/// range.
fn tree(m: &Model) -> Result<(), String> {
    let before = |list: &[i32], i: usize| usize::try_from(list[i]).is_ok_and(|p| p < i.max(1));
    let upto = |list: &[i32], i: usize| usize::try_from(list[i]).is_ok_and(|p| p <= i);
    for i in 0..m.nbody {
        if !before(&m.body_parentid, i) || !upto(&m.body_rootid, i) || !upto(&m.body_weldid, i) {
            return Err("body_parentid".to_owned());
        }
    }
    for i in 0..m.nv {
        if i64::from(m.dof_parentid[i]) >= i as i64 {
            return Err("dof_parentid".to_owned());
        }
    }
    let end = |start: i32, n: usize| usize::try_from(start).map_or(usize::MAX, |s| s + n);
    for j in 0..m.njnt {
        let (nq, nv) = (m.jnt_type[j].nq(), m.jnt_type[j].nv());
        if end(m.jnt_qposadr[j], nq) > m.nq || end(m.jnt_dofadr[j], nv) > m.nv {
            return Err("jnt_qposadr".to_owned());
        }
    }
    Ok(())
}

/// Checks that mesh, height-field and SDF geoms refer to an asset, and that height-field and texture data are
/// in range.
fn shapes(m: &Model) -> Result<(), String> {
    for i in 0..m.ngeom {
        let limit = match m.geom_type[i] {
            GeomType::HField => m.nhfield,
            _ => m.nmesh,
        };
        let needed = matches!(m.geom_type[i], GeomType::HField | GeomType::Mesh | GeomType::Sdf);
        let inside = usize::try_from(m.geom_dataid[i]).map_or(!needed, |id| id < limit);
        if !inside {
            return Err("geom_dataid".to_owned());
        }
    }
    let area = |factors: &[i32]| {
        factors.iter().try_fold(1_i64, |n, &f| (f >= 0).then(|| n.saturating_mul(f.into())))
    };
    for i in 0..m.nhfield {
        let cells = area(&[m.hfield_nrow[i], m.hfield_ncol[i]]).ok_or("hfield_nrow")?;
        if i64::from(m.hfield_adr[i]).saturating_add(cells) > m.nhfielddata as i64 {
            return Err("hfield_adr".to_owned());
        }
    }
    for i in 0..m.ntex {
        // only the start is checked
        if m.tex_adr[i] < 0 || m.tex_adr[i] > m.ntexdata as i64 {
            return Err("tex_adr".to_owned());
        }
    }
    Ok(())
}

/// Name of the size that counts the objects of a type.
fn object_size(kind: ObjType) -> Option<&'static str> {
    Some(match kind {
        ObjType::Body | ObjType::XBody => "nbody",
        ObjType::Joint => "njnt",
        ObjType::Dof => "nv",
        ObjType::Geom => "ngeom",
        ObjType::Site => "nsite",
        ObjType::Camera => "ncam",
        ObjType::Light => "nlight",
        ObjType::Flex => "nflex",
        ObjType::Skin => "nskin",
        ObjType::Mesh => "nmesh",
        ObjType::HField => "nhfield",
        ObjType::Texture => "ntex",
        ObjType::Material => "nmat",
        ObjType::Pair => "npair",
        ObjType::Exclude => "nexclude",
        ObjType::Equality => "neq",
        ObjType::Tendon => "ntendon",
        ObjType::Actuator => "nu",
        ObjType::Sensor => "nsensor",
        ObjType::Numeric => "nnumeric",
        ObjType::Text => "ntext",
        ObjType::Tuple => "ntuple",
        ObjType::Key => "nkey",
        _ => return None,
    })
}

/// Checks ids whose object type is given by another array.
fn objects(m: &Model, sizes: &HashMap<&'static str, i64>) -> Result<(), String> {
    let size = |name: &str| sizes.get(name).copied().unwrap_or(0);
    let count = |kind: ObjType| object_size(kind).map_or(0, size);
    let check = |id: i32, limit: i64, name: &str| {
        if (-1..limit).contains(&i64::from(id)) { Ok(()) } else { Err(name.to_owned()) }
    };
    for i in 0..m.nsensor {
        check(m.sensor_objid[i], count(m.sensor_objtype[i]), "sensor_objid")?;
        check(m.sensor_refid[i], count(m.sensor_reftype[i]), "sensor_refid")?;
        if m.sensor_objtype[i] != ObjType::Unknown && m.sensor_objid[i] < 0 {
            return Err("sensor_objid".to_owned());
        }
    }
    for i in 0..m.neq {
        let kind = match m.eq_type[i] {
            EqType::Joint => ObjType::Joint,
            EqType::Tendon => ObjType::Tendon,
            EqType::Flex | EqType::FlexVert | EqType::FlexStrain => ObjType::Flex,
            _ => m.eq_objtype[i],
        };
        check(m.eq_obj1id[i], count(kind), "eq_obj1id")?;
        check(m.eq_obj2id[i], count(kind), "eq_obj2id")?;
    }
    for i in 0..m.ntupledata {
        check(m.tuple_objid[i], count(m.tuple_objtype[i]), "tuple_objid")?;
    }
    for i in 0..m.nu {
        let (first, second) = match m.actuator_trntype[i] {
            TransmissionType::Joint | TransmissionType::JointInParent => (size("njnt"), 0),
            TransmissionType::Tendon => (size("ntendon"), 0),
            TransmissionType::Site | TransmissionType::SliderCrank => {
                (size("nsite"), size("nsite"))
            }
            TransmissionType::Body => (size("nbody"), 0),
            TransmissionType::Undefined => (0, 0),
        };
        check(m.actuator_trnid[2 * i], first, "actuator_trnid")?;
        check(m.actuator_trnid[2 * i + 1], second, "actuator_trnid")?;
        if first > 0 && m.actuator_trnid[2 * i] < 0 {
            return Err("actuator_trnid".to_owned());
        }
    }
    for i in 0..m.nwrap {
        let limit = match m.wrap_type[i] {
            WrapType::Joint => size("njnt"),
            WrapType::Site => size("nsite"),
            WrapType::Sphere | WrapType::Cylinder => size("ngeom"),
            WrapType::None | WrapType::Pulley => continue,
        };
        if m.wrap_objid[i] < 0 {
            return Err("wrap_objid".to_owned());
        }
        check(m.wrap_objid[i], limit, "wrap_objid")?;
    }
    Ok(())
}
