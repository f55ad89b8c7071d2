//! Arbitrary bytes as a Gmsh file of a flex: decoded, compiled as each kind of dof, and stepped.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sim_mjcf::asset::decode::decode_gmsh_mesh;
use sim_mjcf::{Loader, Vfs};

/// More points make a model so large that a step takes seconds.
const MAX_POINTS: usize = 64;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mesh) = decode_gmsh_mesh(bytes) else { return };
    if mesh.points.len() > 3 * MAX_POINTS || mesh.elements.len() > 4 * MAX_POINTS {
        return;
    }
    for dof in ["full", "radial", "trilinear"] {
        let mut vfs = Vfs::default();
        vfs.add("f.msh", bytes);
        let text = format!(
            r#"<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
            <flexcomp name="f" type="gmsh" file="f.msh" dim="{}" radius=".01" dof="{dof}">
            <edge stiffness="1" damping=".1"/></flexcomp></worldbody></mujoco>"#,
            mesh.dim
        );
        let spec = Loader::new(vfs).parse_str(&text, "");
        let Some(model) = spec.ok().and_then(|spec| spec.compile().ok()) else { continue };
        let mut data = model.make_data();
        let _ = sim_core::mj_step(&model, &mut data);
    }
});
