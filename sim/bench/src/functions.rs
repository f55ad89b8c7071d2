//! Times single pipeline stages at one state, interleaved with MuJoCo.

use crate::fastest::Rounds;
use crate::scene::{Kind, Scene};
use crate::side_by_side::{Failure, Mujoco};
use serde_json::{Map, Value, json};
use sim_conformance::Oracle;
use sim_core::types::DisableBit;
use sim_core::*;
use std::path::Path;

const ROUNDS: Rounds = Rounds { number: 400, seconds: 0.001, warm_up: 100 };

/// Stages without constraints, by name.
const STAGES: [(&str, Function); 7] = [
    ("kinematics", |m, d, _| {
        mj_kinematics(m, d);
        mj_com_pos(m, d);
        mj_camlight(m, d);
        mj_tendon(m, d);
        mj_transmission(m, d);
    }),
    ("inertia", |m, d, _| {
        mj_make_m(m, d);
        mj_factor_m(m, d);
    }),
    ("velocity", |m, d, _| mj_fwd_velocity(m, d)),
    ("passive", |m, d, _| mj_passive(m, d)),
    ("actuation", |m, d, _| mj_fwd_actuation(m, d)),
    ("acceleration", |m, d, _| mj_fwd_acceleration(m, d)),
    ("jacobian", |m, d, jac| {
        mj_kinematics(m, d);
        mj_com_pos(m, d);
        mj_jac_into(m, d, Some(&mut jac.0), Some(&mut jac.1), [0.1, 0.2, 0.3], m.nbody - 1);
    }),
];

/// Stages of the constraints, by name.
const CONSTRAINT: [(&str, Function); 2] = [
    ("rows", |m, d, _| {
        mj_make_constraint(m, d);
        mj_island(m, d);
        mj_reference_constraint(m, d);
    }),
    ("solve", |m, d, _| {
        // ignored: the models of the scenes have no unsupported features
        let _ = mj_fwd_constraint(m, d);
    }),
];
/// Number of steps before the constraint stages are timed.
const WARM_UP: &str = "300";

/// A stage.
type Function = fn(&Model, &mut Data, &mut Jac);
/// Output of the Jacobian: `jacp` and `jacr`.
type Jac = (Vec<f64>, Vec<f64>);

/// Times every stage of one scene, interleaved with MuJoCo if `oracle` is given.
///
/// # Errors
/// When the model does not load, or the oracle fails.
pub fn measure(
    scene: &Scene,
    oracle: Option<&Oracle>,
    _threads: usize,
    temp: &Path,
) -> Result<Value, Failure> {
    let file = scene.file(temp)?;
    let mut m = sim_mjcf::load_file(&file)?;
    let constraint = scene.kind == Kind::Constraint;
    if !constraint {
        use DisableBit::{Contact, Equality, FrictionLoss, Limit};
        for bit in [Contact, Limit, Equality, FrictionLoss] {
            m.opt.disableflags |= bit as i32;
        }
    }
    let mut mujoco = match oracle {
        Some(oracle) => {
            let archive = temp.join(scene.name).with_extension("npz");
            let steps: &[&str] = if constraint { &[WARM_UP] } else { &[] };
            Some(Mujoco::start(oracle, "stages.py", &file, &archive, steps)?)
        }
        None => None,
    };
    let mut d = match &mujoco {
        Some(mujoco) => mujoco.state(&m).0,
        None => m.make_data(),
    };
    let warm = d.qacc_warmstart.clone();
    mj_forward(&m, &mut d)?;
    d.qacc_warmstart.copy_from_slice(&warm);
    let rows = mujoco.as_ref().and_then(|mujoco| mujoco.array("nefc").first().copied());
    if rows.is_some_and(|rows| (rows - d.nefc as f64).abs() > 0.02 * rows) {
        return Err(format!("{} rows, the oracle has {rows:?}", d.nefc).into());
    }
    let mut jac = (vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]);

    let (mut ours, mut theirs, mut ratios) = (Map::new(), Map::new(), Map::new());
    let list: &[(&str, Function)] = if constraint { &CONSTRAINT } else { &STAGES };
    for &(name, stage) in list {
        let call = || stage(&m, &mut d, &mut jac);
        let [mine, other] = ROUNDS.time(call, mujoco.as_mut(), name)?;
        ours.insert(name.into(), json!(mine));
        if mujoco.is_some() {
            theirs.insert(name.into(), json!(other));
            ratios.insert(name.into(), json!(other / mine));
        }
    }
    Ok(json!({
        "scene": scene.name,
        "threads": 1,
        "ours_steps_per_s": null,
        "mujoco_steps_per_s": null,
        "ratio": null,
        "ours_us_per_step": null,
        "stages_us": ours,
        "mujoco_stages_us": theirs,
        "stage_ratios": ratios,
        "ncon": d.ncon,
        "nefc": d.nefc,
        "nv": m.nv,
    }))
}
