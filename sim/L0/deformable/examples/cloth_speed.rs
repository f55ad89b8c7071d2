//! Times a sheet of cloth: steps per second on one thread, and cost per vertex as it grows.

use nalgebra::Vector3;
use sim_deformable::{
    Cloth, ClothConfig, DeformableBody, DeformableError, SurfaceMesh, XpbdSolver,
};
use std::time::Instant;

fn main() -> Result<(), DeformableError> {
    println!(
        "vertices  constraints  ms/step  steps/s  ns/constraint  (best of 50 steps, 10 substeps)"
    );
    for n in [32, 50, 71, 100, 141, 200] {
        let mesh = SurfaceMesh::grid([1.0, 1.0], [n - 1, n - 1])?;
        let mut cloth = Cloth::new(&mesh, &ClothConfig::cotton())?;
        cloth.body_mut().pin(0)?;
        cloth.body_mut().pin(n - 1)?;
        let residuals = cloth.body().residuals();
        let constraints = residuals.distance.count + residuals.hinge.count;
        let mut solver = XpbdSolver::default();
        let mut best = f64::INFINITY;
        for _ in 0..50 {
            let start = Instant::now();
            solver.step(&mut cloth, Vector3::new(0.0, 0.0, -9.81), 1.0 / 60.0)?;
            best = best.min(start.elapsed().as_secs_f64());
        }
        let each = best * 1e9 / (10.0 * constraints as f64);
        println!(
            "{:8}  {constraints:11}  {:7.2}  {:7.0}  {each:13.1}",
            n * n,
            best * 1e3,
            best.recip()
        );
    }
    Ok(())
}
