// Environments of a dispatch. With shared scratch memory, a step consists of several dispatches, each of which uses the
// scratch memory from its beginning.
#ifdef SHARED_SCRATCH
fn dispatched_env(k: u32) -> u32 { return run.first + k; }
fn scratch_index() -> u32 { return env - run.first; }
#else
fn dispatched_env(k: u32) -> u32 { return k; }
fn scratch_index() -> u32 { return env; }
#endif
