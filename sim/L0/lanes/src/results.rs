//! Results of the forward dynamics of a step, while a group has them.

use crate::group::store_results;
use crate::plan::Plan;
use crate::work::{State, Work, get_lane};
use sim_core::Data;
use sim_simd::lanes::Lanes;

/// Reads results between the forward dynamics of a step and its integration.
pub(crate) struct Reader<'a> {
    /// Whether contact wrenches are computed.
    pub wrenches: bool,
    pub read: &'a mut dyn FnMut(&LaneResults<'_>),
}

/// Results of the forward dynamics of a group, for sensors: see [`LaneGroup::step_with_results`].
///
/// [`LaneGroup::step_with_results`]: crate::LaneGroup::step_with_results
pub struct LaneResults<'a>(pub(crate) &'a dyn Store);

impl std::fmt::Debug for LaneResults<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LaneResults").finish_non_exhaustive()
    }
}

impl LaneResults<'_> {
    /// Copies the state of a lane before the step, the results that [`LaneGroup::store`] copies, `cdof`, `cdof_dot`,
    /// and `cfrc_ext` if contact wrenches were requested. A lane in which the step fails has no meaningful results.
    ///
    /// # Panics
    /// If there is no such lane, or the sizes of the data are not those of the model.
    ///
    /// [`LaneGroup::store`]: crate::LaneGroup::store
    pub fn store(&self, lane: usize, data: &mut Data) {
        self.0.store(lane, data);
    }
}

pub(crate) trait Store {
    fn store(&self, lane: usize, d: &mut Data);
}

/// Results in vectors of some type.
pub(crate) struct ResultsOf<'a, V: Lanes> {
    pub plan: &'a Plan,
    pub state: &'a State<V>,
    pub work: &'a Work<V>,
    pub wrenches: bool,
}

impl<V: Lanes> Store for ResultsOf<'_, V> {
    fn store(&self, lane: usize, d: &mut Data) {
        self.state.store(lane, d);
        store_results(self.plan, self.work, lane, d);
        get_lane(self.work.cdof.as_flattened(), lane, &mut d.cdof);
        get_lane(self.work.cdof_dot.as_flattened(), lane, &mut d.cdof_dot);
        if self.wrenches {
            get_lane(self.work.cfrc_ext.as_flattened(), lane, &mut d.cfrc_ext);
        }
    }
}
