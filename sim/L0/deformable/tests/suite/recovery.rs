//! Recovery of bodies collapsed to a plane, a line or a point, or inverted.

use crate::{Random, run};
use nalgebra::Vector3;
use sim_deformable::{
    DeformableBody, DeformableError, SoftBody, SoftBodyConfig, SolidModel, TetMesh, XpbdConfig,
    XpbdSolver,
};

fn block(model: SolidModel) -> SoftBody {
    let mesh = TetMesh::cuboid([0.2, 0.2, 0.2], [3, 3, 3]).unwrap();
    SoftBody::new(&mesh, &SoftBodyConfig { model, ..SoftBodyConfig::rubber() }).unwrap()
}

/// Deforms a block by `squeeze` and releases it without gravity.
fn released(model: SolidModel, squeeze: impl FnMut(&mut Vector3<f64>)) -> SoftBody {
    let mut body = block(model);
    body.body_mut().positions_mut().iter_mut().for_each(squeeze);
    let mut solver =
        XpbdSolver::new(XpbdConfig { substeps: 20, damping: 2.0, ..XpbdConfig::default() });
    for _ in 0..300 {
        solver.step(&mut body, Vector3::zeros(), 1e-2).unwrap();
    }
    assert!(body.body().positions().iter().all(|x| x.iter().all(|v| v.is_finite())));
    body
}

const MODELS: [SolidModel; 2] = [SolidModel::Springs, SolidModel::NeoHookean];

#[test]
fn a_flattened_block_recovers() {
    for model in MODELS {
        let body = released(model, |x| x.z = 0.0);
        let share = body.volume() / 8e-3;
        assert!((share - 1.0).abs() < 0.02, "{model:?}: {share}");
        assert_eq!(body.inverted(), 0, "{model:?}");
    }
}

#[test]
fn a_scrambled_neo_hookean_block_recovers() {
    let mut random = Random::new(3);
    let body = released(SolidModel::NeoHookean, |x| *x = 0.2 * random.vector());
    assert!((body.volume() / 8e-3 - 1.0).abs() < 0.02, "{}", body.volume());
    assert_eq!(body.inverted(), 0);
}

#[test]
fn a_block_collapsed_to_a_line_or_point_stays_finite() {
    for model in MODELS {
        released(model, |x| *x = Vector3::new(x.x, 0.0, 0.0));
        released(model, |x| *x = Vector3::new(1.0, 2.0, 3.0));
    }
}

#[test]
fn a_step_that_diverges_is_an_error_and_changes_nothing() {
    let mut body = block(SolidModel::Springs);
    body.body_mut().velocities_mut()[5].x = 1e300;
    let before = body.body().positions().to_vec();
    let failed = XpbdSolver::default().step(&mut body, Vector3::zeros(), 1e10);
    assert!(matches!(failed, Err(DeformableError::Diverged { .. })), "{failed:?}");
    assert_eq!(body.body().positions(), before);
    // the body can be stepped again
    body.body_mut().velocities_mut()[5].x = 0.0;
    run(&mut body, 0.1, 1e-2, 10, 0.0);
}
