//! Has no code: its dependencies unify the features of third-party crates.
