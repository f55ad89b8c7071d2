//! The stages of a step as kernels: each is compiled with the instructions of its vectors.

use crate::plan::Plan;
use crate::results::{LaneResults, Reader, ResultsOf};
use crate::work::{State, Work};
use crate::{
    collision, dynamics, inertia, integrate, kinematics, rows, separation, solver, wrench,
};
use sim_core::Model;
use sim_simd::lanes::{Kernel, Lanes, Mask};
use sim_types::MAXVAL;

/// Declares the kernel of a stage.
macro_rules! stage {
    ($kernel:ident, $plan:ident, $s:ident, $w:ident => $body:expr) => {
        struct $kernel<'a, V: Lanes>(&'a Plan, &'a mut State<V>, &'a mut Work<V>);

        impl<V: Lanes> Kernel for $kernel<'_, V> {
            type Output = ();

            #[inline(always)]
            fn run(self) {
                let Self($plan, $s, $w) = self;
                $body
            }
        }
    };
}

stage!(Position, plan, s, w => kinematics::position(plan, s, w));
stage!(Crb, plan, _s, w => inertia::crb(plan, w));
stage!(Collision, plan, s, w => collision::collide(plan, s, w));
stage!(Smooth, plan, s, w => dynamics::smooth(plan, s, w));
stage!(Rows, plan, s, w => rows::make_rows(plan, s, w));
stage!(Solve, plan, s, w => solver::solve(plan, s, w));
stage!(Integrate, plan, s, w => integrate::euler(plan, s, w));
stage!(RungeKutta0, plan, s, w => integrate::runge_kutta(plan, 0, s, w));
stage!(RungeKutta1, plan, s, w => integrate::runge_kutta(plan, 1, s, w));
stage!(RungeKutta2, plan, s, w => integrate::runge_kutta(plan, 2, s, w));
stage!(RungeKutta3, plan, s, w => integrate::runge_kutta(plan, 3, s, w));
stage!(Wrenches, plan, _s, w => wrench::external_wrenches(plan, w));
stage!(CheckState, _plan, s, w => {
    w.bad = bad_lanes::<V>(&s.qpos) | bad_lanes::<V>(&s.qvel);
});
stage!(CheckAcc, _plan, _s, w => w.bad = w.bad | bad_lanes::<V>(&w.qacc));

/// Lanes with a value that indicates divergence: NaN, or larger than `MAXVAL` in magnitude.
#[inline(always)]
fn bad_lanes<V: Lanes>(values: &[V]) -> V::Mask {
    let mut good = V::Mask::all_lanes();
    for value in values {
        good = good & value.abs().le(V::splat(MAXVAL));
    }
    !good
}

/// Forward dynamics of all lanes (`mj_forward`).
pub(crate) fn forward<V: Lanes>(
    plan: &Plan,
    model: Option<&Model>,
    s: &mut State<V>,
    w: &mut Work<V>,
) {
    V::vectorize(Position(plan, s, w));
    V::vectorize(Crb(plan, s, w));
    V::vectorize(Collision(plan, s, w));
    separation::resolve(plan, model, s, w);
    V::vectorize(Smooth(plan, s, w));
    V::vectorize(Rows(plan, s, w));
    V::vectorize(Solve(plan, s, w));
}

/// Contact wrenches of the last forward dynamics.
pub(crate) fn external_wrenches<V: Lanes>(plan: &Plan, s: &mut State<V>, w: &mut Work<V>) {
    V::vectorize(Wrenches(plan, s, w));
}

/// One step of all lanes (`mj_step`). Returns the lanes in which it was not possible, as bits: they diverged, or
/// geoms without a routine in lanes may be in contact. Their state is unchanged. `reader` reads the results of the
/// forward dynamics.
pub(crate) fn step<V: Lanes>(
    plan: &Plan,
    model: Option<&Model>,
    s: &mut State<V>,
    w: &mut Work<V>,
    reader: Option<&mut Reader<'_>>,
) -> u32 {
    let mut before = w.before.take().unwrap_or_else(|| s.clone());
    before.copy_from(s);
    w.close = 0;
    V::vectorize(CheckState(plan, s, w));
    forward(plan, model, s, w);
    V::vectorize(CheckAcc(plan, s, w));
    if let Some(reader) = reader {
        let wrenches = reader.wrenches;
        if wrenches {
            external_wrenches(plan, s, w);
        }
        (reader.read)(&LaneResults(&ResultsOf { plan, state: s, work: w, wrenches }));
    }
    if plan.is_rk4 {
        V::vectorize(RungeKutta0(plan, s, w));
        forward(plan, model, s, w);
        V::vectorize(RungeKutta1(plan, s, w));
        forward(plan, model, s, w);
        V::vectorize(RungeKutta2(plan, s, w));
        forward(plan, model, s, w);
        V::vectorize(RungeKutta3(plan, s, w));
    } else {
        V::vectorize(Integrate(plan, s, w));
    }
    let failed = w.bad.bits() | w.close;
    let mut rest = failed;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        s.copy_lane(lane, &before, lane);
        rest &= rest - 1;
    }
    w.before = Some(before);
    failed
}
