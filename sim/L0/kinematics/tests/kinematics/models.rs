//! Chains to every body of the conformance models, and between bodies, compared with `sim-core`.

use crate::arms::Random;
use sim_core::{Model, mj_com_pos, mj_jac_body_into, mj_kinematics};
use sim_kinematics::{Chain, End, Frame, JacobianType};
use std::path::Path;

/// Compares chains of one model at random configurations. Returns their number.
fn check(m: &Model, name: &str) -> usize {
    let mut random = Random(71);
    let mut d = m.make_data();
    let [mut jacp, mut jacr] = [vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]];
    for _ in 0..3 {
        d.qpos.copy_from_slice(&random.state(m));
        mj_kinematics(m, &mut d);
        mj_com_pos(m, &mut d);
        let frame = |b: usize| {
            let pos = [0, 1, 2].map(|k| d.xpos[3 * b + k]);
            Frame::from_mat(pos, &std::array::from_fn(|k| d.xmat[9 * b + k]))
        };
        for b in 0..m.nbody {
            let chain = Chain::new(m, End::WORLD, End::Body(b)).unwrap();
            let mut jac = vec![[0.0; 6]; chain.nv()];
            let kind = JacobianType::Spatial;
            let tip = chain.jacobian_at(&d.qpos, &mut chain.make_cache(), kind, &mut jac).unwrap();
            let scale = 1.0 + d.xpos.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
            let is_close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * scale;
            let same = |a: &Frame, b: &Frame| {
                a.rows.iter().flatten().zip(b.rows.iter().flatten()).all(|(a, b)| is_close(*a, *b))
            };
            assert!(same(&tip, &frame(b)), "{name}, body {b}: {tip:?}");
            mj_jac_body_into(m, &d, Some(&mut jacp), Some(&mut jacr), b);
            for (column, &dof) in jac.iter().zip(chain.dofs()) {
                for row in 0..3 {
                    assert!(is_close(column[row], jacp[row * m.nv + dof]), "{name}, body {b}");
                    assert!(is_close(column[row + 3], jacr[row * m.nv + dof]), "{name}, body {b}");
                }
            }
            // dofs outside the chain do not move the body
            let moving = |dof: usize| (0..3).any(|r| jacp[r * m.nv + dof] != 0.0);
            assert!((0..m.nv).all(|dof| chain.dofs().contains(&dof) || !moving(dof)));
            // a chain from another body
            let other = (7 * b + 3) % m.nbody;
            let chain = Chain::new(m, End::Body(other), End::Body(b)).unwrap();
            let found = chain.forward(&d.qpos, &mut chain.make_cache()).unwrap();
            let expected = frame(other).inverse().then(&frame(b));
            assert!(same(&found, &expected), "{name}, from {other} to {b}");
        }
    }
    2 * 3 * m.nbody
}

#[test]
fn chains_to_all_bodies_agree_with_sim_core() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/models");
    let (mut models, mut robots, mut chains) = (0, 0, 0);
    for part in ["robots", "features", "urdf"] {
        for entry in std::fs::read_dir(folder.join(part)).unwrap() {
            let path = entry.unwrap().path();
            // some files are included by others and do not load alone
            let m = match path.extension().and_then(|end| end.to_str()) {
                Some("xml") => sim_mjcf::load_file(&path),
                Some("urdf") => sim_urdf::load_file(&path),
                _ => continue,
            };
            let Ok(m) = m else { continue };
            robots += usize::from(part == "urdf");
            models += 1;
            chains += check(&m, &path.display().to_string());
        }
    }
    assert!(models > 50 && robots >= 4 && chains > 2000, "{models} {robots} {chains}");
}
