// Barriers. WGSL's workgroupBarrier orders accesses to workgroup memory only; storage written by other lanes needs a
// storageBarrier, which is expensive because it flushes caches. Kernels of one subgroup omit it where the hardware is
// known to execute the lanes of a subgroup in order (see `StorageBarriers`).

#ifdef SINGLE_LANE
fn sync() {}
#else
#ifdef ARRAYS_IN_STORAGE
fn sync() { workgroupBarrier(); storageBarrier(); }
#else
fn sync() { workgroupBarrier(); }
#endif
#endif

// After writes to the matrices.
#ifdef MATRIX_STORAGE_BARRIER
fn sync_matrices() { workgroupBarrier(); storageBarrier(); }
#else
fn sync_matrices() { sync(); }
#endif

// After writes to the separation budgets in the output buffer.
#ifdef OUTPUT_STORAGE_BARRIER
fn sync_storage() { workgroupBarrier(); storageBarrier(); }
#else
fn sync_storage() { sync(); }
#endif

// After writes to the sensors in the output buffer.
#ifdef SENSOR_STORAGE_BARRIER
fn sync_sensors() { workgroupBarrier(); storageBarrier(); }
#else
fn sync_sensors() { sync(); }
#endif
