//! probe
use nalgebra::Vector3;
use sim_core::deformable::*;
use sim_core::*;
fn main() {
    let e: f64 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(1e5);
    let mass: f64 = std::env::args().nth(2).and_then(|s| s.parse().ok()).unwrap_or(1.0);
    let floor = std::env::args().nth(3).is_some();
    let mut m = sim_mjcf::load_str(&format!(
        r#"<mujoco><option timestep="0.002"/><worldbody>
      <geom type="plane" size="2 2 .1"/>
      <body pos="0 0 0.2505"><freejoint/><geom type="box" size=".11 .11 .1" mass="{mass}"/></body>
    </worldbody></mujoco>"#
    ))
    .unwrap();
    let mesh = TetMesh::cuboid([0.4, 0.4, 0.1], [8, 8, 2]).unwrap();
    let mut mesh = mesh;
    let low = mesh.vertices.iter().map(|v| v.z).fold(f64::INFINITY, f64::min);
    for v in &mut mesh.vertices {
        v.z += -low + if floor { 0.001 } else { 0.05 };
    }
    let mat =
        Material { youngs_modulus: e, poissons_ratio: 0.3, damping: 5e-3, ..Material::rubber() };
    let mut soft =
        SoftBody::new(&mesh, &SoftBodyConfig { material: mat, model: SolidModel::Springs })
            .unwrap();
    if !floor {
        for i in 0..mesh.vertices.len() {
            if mesh.vertices[i].z < 0.0501 {
                soft.body_mut().pin(i).unwrap();
            }
        }
    }
    println!("slab mass {}", soft.body().masses().iter().sum::<f64>());
    m.add_deformable(Deformable::new("slab", &soft)).unwrap();
    let mut d = m.make_data();
    for k in 0..1500 {
        let t0 = std::time::Instant::now();
        d.step(&m).unwrap();
        let dt = t0.elapsed().as_secs_f64();
        if k % 200 == 199 || k > 1495 {
            let mut f = Vector3::zeros();
            let mut g = Vector3::zeros();
            for i in 0..d.ncon {
                if let Some((_, force)) = d.deformable_contact(i) {
                    if d.contact[i].geom[0] == 1 {
                        f -= force;
                    } else {
                        g += force;
                    }
                }
            }
            let r = d.coupling_report();
            println!(
                "{k} z={:.6} vz={:.5} fbox={:.4} ffloor={:.3} ncon={} pen={:.2e} ke={:.3e} niter={} {:.2}ms {:?}",
                d.qpos[2],
                d.qvel[2],
                f.z,
                g.z,
                d.ncon,
                r.penetration,
                d.deformable(0).unwrap().kinetic_energy(),
                d.solver_niter[0],
                dt * 1e3,
                d.warning[Warn::BadQpos as usize].number
            );
        }
    }
}
use sim_core::types::Warning as Warn;
