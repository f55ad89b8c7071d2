//! Shortcuts of actuators (`mjs_setToMotor` and so on).

use super::fields::Fields;
use crate::error;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sim_physics::mjcf::spec::{
    Actuator, ActuatorError, CylinderParams, DcMotorParams, MuscleParams, ServoParams,
};

/// A number of the parameters; `None` if it is absent or None.
fn number(params: &Bound<'_, PyDict>, name: &str) -> PyResult<Option<f64>> {
    Ok(params.get_item(name)?.map(|x| x.extract::<Option<f64>>()).transpose()?.flatten())
}

/// A vector of the parameters; zeros if it is absent or None, and for missing entries.
fn vector<const N: usize>(params: &Bound<'_, PyDict>, name: &str) -> PyResult<[f64; N]> {
    let Some(object) = params.get_item(name)?.filter(|x| !x.is_none()) else { return Ok([0.0; N]) };
    let values: Vec<f64> = object.extract().or_else(|_| object.extract().map(|x: f64| vec![x]))?;
    if values.len() > N {
        return Err(error::shape(format!("{name} has at most {N} numbers")));
    }
    Ok(std::array::from_fn(|i| values.get(i).copied().unwrap_or(0.0)))
}

/// The fields of an actuator after applying a shortcut.
#[pyfunction]
pub fn _spec_actuator<'py>(
    fields: &Bound<'py, PyDict>,
    kind: &str,
    params: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let get = |name: &str| number(params, name);
    let mut actuator = Actuator::default();
    actuator.set(fields)?;
    let servo = || -> PyResult<ServoParams> {
        let (kp, kv, dampratio) = (get("kp")?, get("kv")?, get("dampratio")?);
        Ok(ServoParams {
            kp,
            kv,
            dampratio,
            timeconst: get("timeconst")?,
            inheritrange: get("inheritrange")?,
        })
    };
    let result: Result<(), ActuatorError> = match kind {
        "position" => actuator.set_to_position(&servo()?),
        "intvelocity" => actuator.set_to_int_velocity(&servo()?),
        "velocity" => {
            actuator.set_to_velocity(get("kv")?);
            Ok(())
        }
        "damper" => actuator.set_to_damper(get("kv")?.unwrap_or(0.0)),
        "cylinder" => {
            let (timeconst, bias) = (get("timeconst")?, get("bias")?);
            let (area, diameter) = (get("area")?, get("diameter")?.filter(|d| *d >= 0.0));
            actuator.set_to_cylinder(&CylinderParams { timeconst, bias, area, diameter });
            Ok(())
        }
        "muscle" => {
            let timeconst = vector::<2>(params, "timeconst")?.map(Some);
            let range = vector::<2>(params, "range")?.map(Some);
            let given = |name: &str, values: [Option<f64>; 2]| -> PyResult<[Option<f64>; 2]> {
                let given = params.get_item(name)?.is_some_and(|x| !x.is_none());
                Ok(if given { values } else { [None; 2] })
            };
            actuator.set_to_muscle(&MuscleParams {
                timeconst: given("timeconst", timeconst)?,
                range: given("range", range)?,
                tausmooth: get("tausmooth")?,
                force: get("force")?,
                scale: get("scale")?,
                lmin: get("lmin")?,
                lmax: get("lmax")?,
                vmax: get("vmax")?,
                fpmax: get("fpmax")?,
                fvmax: get("fvmax")?,
            })
        }
        "adhesion" => actuator.set_to_adhesion(get("gain")?),
        "dcmotor" => actuator.set_to_dc_motor(&DcMotorParams {
            motorconst: vector(params, "motorconst")?,
            resistance: get("resistance")?.unwrap_or(0.0),
            nominal: vector(params, "nominal")?,
            saturation: vector(params, "saturation")?,
            inductance: vector(params, "inductance")?,
            cogging: vector(params, "cogging")?,
            controller: vector(params, "controller")?,
            thermal: vector(params, "thermal")?,
            lugre: vector(params, "lugre")?,
            input: get("input")?.unwrap_or(0.0),
        }),
        _ => {
            actuator.set_to_motor();
            Ok(())
        }
    };
    result.map_err(|e| error::value(e.to_string()))?;
    let out = PyDict::new(fields.py());
    actuator.get(&out)?;
    Ok(out)
}
