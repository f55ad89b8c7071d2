// Linear solves with the Hessian: `solve_hessian(damping)` solves H x = GRAD into SEARCH, where H is
// the inertia matrix plus the quadratic constraint rows (none with CG), or with `damping` the inertia
// matrix plus DAMPING_DIAG. Both cases share the code, so that it stays in the instruction cache.
// Elimination is Gauss–Jordan, one row per lane: there is no back-substitution, and every lane is
// busy until the end.

#ifdef SOLVE_IN_MEMORY
#import linear_solve_memory
#endif
#ifdef SOLVE_IN_REGISTERS
#ifdef SOLVE_COUPLED
#import linear_solve_coupled
#endif
#import register_solver
#endif

#ifdef SOLVE_COUPLED
fn solve_hessian(damping: bool) {
    var n = 0u;
    if !damping { n = find_coupling_rows(); }
    if n == NONE { solve_in_memory(damping); } else { solve_groups(n, damping); }
}
#else
#ifndef SOLVE_IN_REGISTERS
fn solve_hessian(damping: bool) { solve_in_memory(damping); }
#endif
#endif
