//! Times a sheet of cotton, held at two corners, 10 substeps a step: on one thread, on all of them,
//! and on one thread with contact of the sheet with itself. Best of 50 steps each.

use nalgebra::Vector3;
use sim_deformable::{
    Cloth, ClothConfig, DeformableBody, DeformableError, StepInfo, SurfaceMesh, XpbdSolver,
};
use std::time::Instant;

const GRAVITY: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);
const DT: f64 = 1.0 / 60.0;

/// Seconds of the fastest step.
fn best(
    mut cloth: Cloth,
    step: impl Fn(&mut XpbdSolver, &mut Cloth) -> Result<StepInfo, DeformableError>,
) -> Result<f64, DeformableError> {
    let mut solver = XpbdSolver::default();
    let mut best = f64::INFINITY;
    for _ in 0..50 {
        let start = Instant::now();
        step(&mut solver, &mut cloth)?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}

fn main() -> Result<(), DeformableError> {
    println!("vertices  constraints   ms/step   steps/s   ns/constraint   threads   with contact");
    for n in [32, 50, 71, 100, 141, 200] {
        let mesh = SurfaceMesh::grid([1.0, 1.0], [n - 1, n - 1])?;
        let mut cloth = Cloth::new(&mesh, &ClothConfig::cotton())?;
        cloth.body_mut().pin(0)?;
        cloth.body_mut().pin(n - 1)?;
        let mut in_contact = cloth.clone();
        in_contact.body_mut().set_contact_distance(0.3 / n as f64)?;
        let residuals = cloth.body().residuals();
        let constraints = residuals.distance.count + residuals.hinge.count;
        let one = best(cloth.clone(), |solver, cloth| solver.step(cloth, GRAVITY, DT))?;
        let all = best(cloth, |solver, cloth| solver.step_parallel(cloth, GRAVITY, DT))?;
        let contact = best(in_contact, |solver, cloth| solver.step(cloth, GRAVITY, DT))?;
        let each = one * 1e9 / (10.0 * constraints as f64);
        println!(
            "{:8}  {constraints:11}  {:8.2}  {:8.0}  {each:14.1}  {:8.2}  {:13.2}",
            n * n,
            one * 1e3,
            one.recip(),
            all * 1e3,
            contact * 1e3
        );
    }
    Ok(())
}
