//! Structs that the host and the kernels share. Each is described once; the description gives the Rust struct and the
//! WGSL declaration.

use bytemuck::{Pod, Zeroable};

/// Defines a struct of 32-bit words with its WGSL declaration in `WGSL`; `then` adds a runtime-sized array that only
/// the WGSL struct has.
macro_rules! device_struct {
    (
        $(#[$doc:meta])*
        $name:ident { $($(#[$field_doc:meta])* $field:ident: $ty:literal,)* }
        $(then $tail:ident: $tail_ty:literal)?
    ) => {
        $(#[$doc])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
        pub(crate) struct $name {
            $($(#[$field_doc])* pub $field: u32,)*
        }

        impl $name {
            /// The WGSL declaration.
            pub(crate) const WGSL: &str = concat!(
                "struct ", stringify!($name), " {\n",
                $("    ", stringify!($field), ": ", $ty, ",\n",)*
                $("    ", stringify!($tail), ": ", $tail_ty, ",\n",)?
                "}\n",
            );
        }
    };
}

device_struct! {
    /// State of an environment after its last step.
    EnvironmentInfo {
        /// Combination of [`flag`] bits since the last reset.
        flags: "u32",
        /// Contacts of the last step.
        ncon: "u32",
        /// Constraint rows of the last step.
        nefc: "u32",
        /// Solver iterations of the last step.
        solver_niter: "u32",
        /// Steps since the last reset.
        episode_steps: "u32",
        /// Resets so far.
        resets: "u32",
        /// An [`episode`] code.
        ended: "u32",
        /// Steps that a suspended environment has not taken yet.
        remaining_steps: "u32",
    }
}

device_struct! {
    /// Per-environment part of the run parameters.
    EnvironmentSlot {
        /// The k-th environment of the first list of suspended environments.
        suspended_even: "u32",
        /// The k-th environment of the second list of suspended environments.
        suspended_odd: "u32",
        /// Whether the host requests a reset of environment k.
        reset: "u32",
    }
}

device_struct! {
    /// Parameters of a dispatch.
    RunParameters {
        /// Environments of the batch.
        envs: "u32",
        /// First environment of the dispatch.
        first: "u32",
        /// Environments of the dispatch.
        count: "u32",
        /// Steps to take.
        steps: "u32",
        /// Distance between the real tables of two environments; zero if they share one.
        model_stride: "u32",
        /// Whether the matrices of all environments are zero except for what kernels wrote.
        matrices_zeroed: "u32",
        /// States in the initial-state table.
        initial_states: "u32",
        /// Seed of the choice of initial states.
        seed: "u32",
        /// Episode length after which an environment is truncated.
        max_episode_steps: "u32",
        /// The current list of suspended environments: 0 or 1.
        list: "u32",
        /// Suspended environments of the current list.
        suspended_count: "atomic<u32>",
        /// Their deferred pairs.
        deferred_count: "atomic<u32>",
        /// Environments that the second pass has suspended again.
        next_suspended_count: "atomic<u32>",
        /// Their deferred pairs.
        next_deferred_count: "atomic<u32>",
        /// Workgroups of the second pass that have finished.
        finished: "atomic<u32>",
        /// Environments that its workgroups have taken from the list, after their first ones.
        taken: "atomic<u32>",
    }
    then slots: "array<EnvironmentSlot>"
}

device_struct! {
    /// Layout of observations.
    ObservationLayout {
        /// Components of all observations.
        len: "u32",
        /// Components of an environment's observation.
        width: "u32",
        /// Components of it that come from the state: qpos and qvel.
        state_width: "u32",
        /// Distance between states.
        state_stride: "u32",
        /// Distance between outputs.
        output_stride: "u32",
    }
}

/// Bits of [`EnvironmentInfo::flags`].
pub(crate) mod flag {
    pub(crate) const OVERFLOW_CONTACTS: u32 = 1;
    pub(crate) const OVERFLOW_EFC: u32 = 2;
    pub(crate) const DIVERGED: u32 = 4;
}

/// Values of [`EnvironmentInfo::ended`].
pub(crate) mod episode {
    pub(crate) const RUNNING: u32 = 0;
    pub(crate) const TERMINATED: u32 = 1;
    pub(crate) const TRUNCATED: u32 = 2;
}

#[cfg(test)]
mod tests {
    use super::{EnvironmentSlot, RunParameters};

    #[test]
    fn both_sides_have_the_same_fields() {
        let wgsl = "struct EnvironmentSlot {\n    suspended_even: u32,\n    suspended_odd: u32,\n    \
                    reset: u32,\n}\n";
        assert_eq!(EnvironmentSlot::WGSL, wgsl);
        assert!(
            RunParameters::WGSL
                .ends_with("    taken: atomic<u32>,\n    slots: array<EnvironmentSlot>,\n}\n")
        );
        assert_eq!(size_of::<RunParameters>(), 64);
    }
}
