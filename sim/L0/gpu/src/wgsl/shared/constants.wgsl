// Constants that do not depend on the model.

const PI: real = 3.141592653589793;
// An index that refers to nothing.
const NONE: u32 = 0xffffffffu;
// States of constraint rows (mjtConstraintState).
const SATISFIED: u32 = 0u;
const QUADRATIC: u32 = 1u;
const LINEAR_NEG: u32 = 2u;
const LINEAR_POS: u32 = 3u;
const CONE: u32 = 4u;
