//! Tests of the URDF parser: conversion, warnings and errors.

mod errors;
mod fidelity;
mod files;
mod hostile;
mod joints;
mod links;
mod warnings;

use sim_urdf::{Fidelity, Spec, Urdf, Warning};

/// An inertia, for links that move.
pub(crate) const MASS: &str = r#"<inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>"#;

/// A robot of a base and an arm with a joint between them.
pub(crate) fn jointed(kind: &str, inside: &str) -> String {
    format!(
        r#"<robot name="r"><link name="base"/><link name="arm">{MASS}</link>
        <joint name="j" type="{kind}"><parent link="base"/><child link="arm"/>{inside}</joint></robot>"#
    )
}

/// Parses a valid robot.
#[track_caller]
pub(crate) fn spec(text: &str) -> Spec {
    sim_urdf::parse_str(text).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

/// Like [`spec`], with MuJoCo fidelity.
#[track_caller]
pub(crate) fn as_mujoco(text: &str) -> Spec {
    let loader = Urdf::default().fidelity(Fidelity::Mujoco).loader();
    loader.parse_str(text, "").unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

/// Compiles a valid robot.
#[track_caller]
pub(crate) fn model(text: &str) -> sim_core::Model {
    sim_urdf::load_str(text).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

/// The warnings as text, each in a line.
pub(crate) fn lines(warnings: &[Warning]) -> String {
    warnings.iter().map(|warning| format!("{warning}\n")).collect()
}
