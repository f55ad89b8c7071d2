//! Command line of the conformance program.

use clap::{Parser, Subcommand, ValueEnum};
use sim_conformance::{Overrides, REFERENCE};
use sim_core::types::{Cone, SolverType};
use std::path::PathBuf;

/// Measures conformance with MuJoCo.
#[derive(Parser)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Action,
}

#[derive(Subcommand)]
pub(crate) enum Action {
    /// Check committed goldens, or with --live every MJCF and URDF file below a path against the oracle.
    Check(Check),
    /// Re-record the goldens of our own models.
    Golden {
        /// Only models whose name contains this.
        #[arg(default_value = "")]
        filter: String,
    },
    /// Compare the contacts of pairs of shapes at random poses with the running oracle.
    Pairs {
        /// Poses of each pair.
        #[arg(long, default_value_t = 2000)]
        poses: usize,
        /// Seed of the poses.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Print this many differences of each pair.
        #[arg(long, default_value_t = 0)]
        show: usize,
    },
    /// Compare the contacts of convex geoms at random poses with the running oracle.
    Convex {
        /// Only pairs whose name contains this.
        #[arg(default_value = "")]
        filter: String,
        /// Poses of each pair.
        #[arg(long, default_value_t = 2000)]
        poses: usize,
        /// Seed of all random numbers.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Time both engines.
        #[arg(long)]
        time: bool,
    },
    /// Compare convex hulls and mesh polygons with the running oracle: generated point sets, and all
    /// STL and OBJ files below the paths.
    Hulls {
        /// Files and folders with meshes.
        paths: Vec<PathBuf>,
        /// Number of generated point sets.
        #[arg(long, default_value_t = 2000)]
        meshes: usize,
        /// Seed of the point sets.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Re-record the expectations of the offline test instead.
        #[arg(long)]
        record: bool,
    },
    /// Compare 3.8.0, another release of MuJoCo and our engine with each other, and write a Markdown page.
    Versions(Versions),
    /// Compare rendered images with those of the running oracle.
    #[cfg(feature = "render")]
    Images {
        /// Files and folders of MJCF and URDF.
        #[arg(required_unless_present = "golden")]
        paths: Vec<PathBuf>,
        /// Re-record the goldens of images instead.
        #[arg(long, conflicts_with = "paths")]
        golden: bool,
        /// Most models that are compared, evenly spread over the files.
        #[arg(long, default_value_t = 60)]
        models: usize,
        /// Write both images of each model side by side to this PNG file.
        #[arg(long, value_name = "FILE")]
        sheet: Option<PathBuf>,
        /// Write the report to this file.
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Compare one step of every model on the GPU with the CPU engine, and step it in single precision.
    #[cfg(feature = "gpu")]
    Gpu {
        /// Files and folders of MJCF and URDF.
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// Random states of each model.
        #[arg(long, default_value_t = 2)]
        states: usize,
        /// Steps in single precision.
        #[arg(long, default_value_t = 20)]
        steps: usize,
        /// With `model`, only report which models are supported; needs no GPU.
        #[arg(long)]
        only: Option<Part>,
        /// Kernels with one lane, which software drivers compile faster.
        #[arg(long)]
        one_lane: bool,
        /// Write the full report to this file.
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Soak test: long runs with random controls; reports errors, warnings and memory growth. Needs no oracle.
    Soak {
        /// Steps of each scene.
        #[arg(long, default_value_t = 100_000)]
        steps: usize,
        /// Seed of the controls.
        #[arg(long, default_value_t = 0)]
        seed: u64,
    },
    /// Compare files with archives, named on standard input, and print the results as lines of JSON.
    #[command(hide = true)]
    CompareFiles {
        #[arg(long)]
        smooth: bool,
        #[arg(long)]
        solver: Option<Solver>,
        #[arg(long)]
        cone: Option<ConeName>,
    },
}

#[derive(clap::Args)]
pub(crate) struct Check {
    /// Only cases whose name contains this; not allowed with --live.
    #[arg(default_value = "", conflicts_with = "live")]
    pub(crate) filter: String,
    /// Files and folders of MJCF and URDF to compare with the running oracle.
    #[arg(long, num_args = 1.., value_name = "PATH")]
    pub(crate) live: Vec<PathBuf>,
    /// Generate this many random models and compare them with the running oracle.
    #[arg(long, value_name = "N", conflicts_with_all = ["live", "filter"])]
    pub(crate) random: Option<usize>,
    /// Omit this many random models at the beginning, to compare a large number in parts.
    #[arg(long, value_name = "K", default_value_t = 0, requires = "random")]
    pub(crate) skip: u64,
    /// Add flexes, cables or skins to every random model.
    #[arg(long, requires = "random")]
    pub(crate) flex: bool,
    /// Folder for the random models that differ, shrunk to small models.
    #[arg(long, value_name = "DIR", requires = "random")]
    pub(crate) keep: Option<PathBuf>,
    /// Random states of each model.
    #[arg(long, default_value_t = 3)]
    pub(crate) states: usize,
    /// Steps of each trajectory.
    #[arg(long, default_value_t = 100)]
    pub(crate) steps: usize,
    /// Seed of all random numbers.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Write the full report to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Disable contacts, limits, equality constraints and dry friction in both engines.
    #[arg(long)]
    pub(crate) smooth: bool,
    /// Use this solver in both engines instead of the model's.
    #[arg(long)]
    pub(crate) solver: Option<Solver>,
    /// Use this friction cone in both engines instead of the model's.
    #[arg(long)]
    pub(crate) cone: Option<ConeName>,
    /// Compare trajectories of every integrator, not only the model's.
    #[arg(long)]
    pub(crate) all_integrators: bool,
    /// Compare only this part.
    #[arg(long)]
    pub(crate) only: Option<Part>,
    /// Compare with this release of MuJoCo; differences from another release than 3.8.0 are reported, but
    /// do not fail.
    #[arg(long, value_name = "VERSION", default_value = REFERENCE, requires = "live")]
    pub(crate) oracle: String,
}

#[derive(clap::Args)]
pub(crate) struct Versions {
    /// Files and folders of MJCF and URDF.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The other release.
    #[arg(long, value_name = "VERSION")]
    pub(crate) oracle: String,
    /// Write the page to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Random states of each model.
    #[arg(long, default_value_t = 2)]
    pub(crate) states: usize,
    /// Steps of each trajectory.
    #[arg(long, default_value_t = 50)]
    pub(crate) steps: usize,
    /// Seed of all random numbers.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Part {
    Model,
    Stages,
    Trajectory,
    Scene,
}

impl Part {
    pub(crate) fn names(self) -> Vec<&'static str> {
        match self {
            Self::Model => vec!["model"],
            Self::Stages => vec!["stages"],
            Self::Trajectory => vec!["trajectory"],
            Self::Scene => vec!["scene"],
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Solver {
    Pgs,
    Cg,
    Newton,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ConeName {
    Pyramidal,
    Elliptic,
}

pub(crate) fn overrides(solver: Option<Solver>, cone: Option<ConeName>) -> Overrides {
    Overrides {
        solver: solver.map(|solver| match solver {
            Solver::Pgs => SolverType::Pgs,
            Solver::Cg => SolverType::Cg,
            Solver::Newton => SolverType::Newton,
        }),
        cone: cone.map(|cone| match cone {
            ConeName::Pyramidal => Cone::Pyramidal,
            ConeName::Elliptic => Cone::Elliptic,
        }),
        integrator: None,
    }
}
