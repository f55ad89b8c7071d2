//! The built-in models of the tasks.

use crate::Error;
use sim_physics::{Loader, Model, Vfs};

/// The files of the models. They compile to the same arrays as gymnasium's.
const FILES: [(&str, &str); 12] = [
    ("ant.xml", include_str!("../models/ant.xml")),
    ("half_cheetah.xml", include_str!("../models/half_cheetah.xml")),
    ("hopper.xml", include_str!("../models/hopper.xml")),
    ("humanoid.xml", include_str!("../models/humanoid.xml")),
    ("humanoid_standup.xml", include_str!("../models/humanoid_standup.xml")),
    ("inverted_double_pendulum.xml", include_str!("../models/inverted_double_pendulum.xml")),
    ("inverted_pendulum.xml", include_str!("../models/inverted_pendulum.xml")),
    ("pusher.xml", include_str!("../models/pusher.xml")),
    ("reacher.xml", include_str!("../models/reacher.xml")),
    ("swimmer.xml", include_str!("../models/swimmer.xml")),
    ("textures.xml", include_str!("../models/textures.xml")),
    ("walker2d.xml", include_str!("../models/walker2d.xml")),
];

/// Loads a built-in model.
pub(crate) fn load(file: &str) -> Result<Model, Error> {
    let mut vfs = Vfs::memory();
    for (name, text) in FILES {
        vfs.add(name, text);
    }
    Ok(Loader::new(vfs).load(file).map_err(sim_physics::Error::from)?)
}
