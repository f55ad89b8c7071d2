//! Every step of every task equals gymnasium's, compared with recordings.

mod compare;

use compare::{TOLERANCE, compare};
use std::path::Path;

fn check(task: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("goldens/{task}.npz"));
    let worst = compare(task, &path);
    assert!(worst.count > 100, "{task}: only {} values were compared", worst.count);
    assert_eq!(worst.excused, 0, "{task}: the recording has ill-conditioned steps");
    assert!(worst.error <= TOLERANCE, "{task}: {} differs by {:e}", worst.field, worst.error);
}

macro_rules! tasks {
    ($($name:ident $task:literal;)*) => {
        $(#[test]
        fn $name() {
            check($task);
        })*

        #[test]
        fn every_task_has_a_recording() {
            assert_eq!([$($task),*], sim_envs::IDS);
        }
    };
}

tasks! {
    ant "Ant-v5";
    half_cheetah "HalfCheetah-v5";
    hopper "Hopper-v5";
    humanoid "Humanoid-v5";
    humanoid_standup "HumanoidStandup-v5";
    inverted_double_pendulum "InvertedDoublePendulum-v5";
    inverted_pendulum "InvertedPendulum-v5";
    pusher "Pusher-v5";
    reacher "Reacher-v5";
    swimmer "Swimmer-v5";
    walker2d "Walker2d-v5";
}
