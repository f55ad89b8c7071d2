//! Times steps of a square cloth: free fall, on a sphere, on many pegs, and flat on a plane.

use crate::side_by_side::Failure;
use serde_json::{Value, json};
use sim_core::{Data, Model};
use std::time::Instant;

/// Number of timed steps.
const TIMED: usize = 30;

/// A model with a cloth of 1 m × 1 m, `side` × `side` vertices and 10 substeps above a plane.
fn sheet(side: usize, height: f64, below: &str) -> Result<Model, Failure> {
    let cells = side.saturating_sub(1);
    let text = format!(
        r#"<mujoco><worldbody><geom type="plane" size="2 2 .1"/>{below}</worldbody>
           <xpbd substeps="10" damping="1">
             <cloth size="1 1" cells="{cells} {cells}" pos="0 0 {height}"/>
           </xpbd></mujoco>"#
    );
    Ok(sim_mjcf::load_str(&text)?)
}

/// MJCF of `side` × `side` vertical capsules on a square metre.
fn pegs(side: usize) -> String {
    let coordinate = |k: usize| (k as f64 + 0.5) / side as f64 - 0.5;
    let peg = |k: usize| {
        let (x, y) = (coordinate(k % side), coordinate(k / side));
        format!(r#"<geom type="capsule" size=".01 .1" pos="{x} {y} .1"/>"#)
    };
    (0..side * side).map(peg).collect()
}

/// Takes `before` steps, then times [`TIMED`] steps; returns the median and the minimum, ms.
fn time(m: &Model, d: &mut Data, before: usize) -> Result<[f64; 2], Failure> {
    for _ in 0..before {
        d.step(m)?;
    }
    let mut times = Vec::with_capacity(TIMED);
    for _ in 0..TIMED {
        let start = Instant::now();
        d.step(m)?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok([times[TIMED / 2], times[0]])
}

/// Times cloths with these numbers of vertices along a side.
///
/// # Errors
/// When a step fails.
pub fn run(sides: &[usize]) -> Result<Value, Failure> {
    let sphere = r#"<geom size=".25" pos="0 0 .3"/>"#;
    println!("vertices  where           contacts   median ms   fastest ms   steps/s");
    let mut results = Vec::new();
    for &side in sides {
        let (draped, flat) = (sheet(side, 0.6, sphere)?, sheet(side, 0.002, "")?);
        let pinned = sheet(side, 0.22, &pegs(20))?;
        let (mut d, mut f, mut p) = (draped.make_data(), flat.make_data(), pinned.make_data());
        let rows = [
            ("in the air", time(&draped, &mut d, 5)?, d.ncon),
            ("over a ball", time(&draped, &mut d, 200)?, d.ncon),
            ("ball and floor", time(&draped, &mut d, 500)?, d.ncon),
            ("over 400 pegs", time(&pinned, &mut p, 100)?, p.ncon),
            ("flat on a floor", time(&flat, &mut f, 100)?, f.ncon),
        ];
        for (place, [median, fastest], contacts) in rows {
            let (count, rate) = (side * side, 1e3 / median);
            println!("{count:8}  {place:15} {contacts:8} {median:11.2} {fastest:12.2} {rate:9.0}");
            results.push(json!({
                "vertices": count, "where": place, "contacts": contacts,
                "median_ms": median, "fastest_ms": fastest,
            }));
        }
    }
    Ok(json!(results))
}
