// Layout of an environment's part of the scratch buffer: matrices, then arrays that few stages use.
const HESSIAN_ROWS: u32 = select(0u, NV, HESSIAN_IN_STORAGE);
const MATRICES_SIZE: u32 = (NV + HESSIAN_ROWS + MAXEFC) * ROW_STRIDE4;
const SCRATCH_SIZE: u32 = MATRICES_SIZE + RARE4;
fn rare_adr(k: u32) -> u32 { return scratch_index() * SCRATCH_SIZE + MATRICES_SIZE + k; }
