//! Allocation and reset of `Data` (`mj_makeData`, `mj_resetData`).

use crate::plugin::stages;
use crate::{Data, Model, actuation, sensor, sleep};

impl Model {
    /// Allocates a [`Data`] for this model in its reference configuration.
    ///
    /// ```
    /// # let model = sim_mjcf::load_str("<mujoco><worldbody/></mujoco>").unwrap();
    /// let data = model.make_data();
    /// assert_eq!(data.qpos.len(), model.nq);
    /// ```
    #[doc(alias = "mj_makeData")]
    #[must_use]
    pub fn make_data(&self) -> Data {
        let mut data = Data::allocate(self);
        data.reset(self);
        data
    }
}

impl Data {
    /// Resets to the reference configuration: `qpos = qpos0`, all other fields zero, histories filled with
    /// zeros at times before 0, `plugin_state` as plugins reset it. With sleeping enabled, all trees are awake except those with the policy
    /// `init`, and the poses of static bodies are computed.
    #[doc(alias = "mj_resetData")]
    pub fn reset(&mut self, m: &Model) {
        // only the plugins change their state
        let plugin_state = std::mem::take(&mut self.plugin_state);
        self.clear();
        self.plugin_state = plugin_state;
        if m.nplugin > 0 {
            self.plugin.copy_from_slice(&m.plugin);
            stages::reset(m, self);
        }
        self.qpos.copy_from_slice(&m.qpos0);
        self.eq_active.copy_from_slice(&m.eq_active0);
        for body in 0..m.nbody {
            if let Ok(mocap) = usize::try_from(m.body_mocapid[body]) {
                self.mocap_pos[3 * mocap..3 * mocap + 3]
                    .copy_from_slice(&m.body_pos[3 * body..3 * body + 3]);
                self.mocap_quat[4 * mocap..4 * mocap + 4]
                    .copy_from_slice(&m.body_quat[4 * body..4 * body + 4]);
            }
        }
        if m.nhistory > 0 {
            actuation::reset_history(m, self);
            sensor::reset_history(m, self);
        }
        self.reset_deformables(m);
        sleep::init_sleep(m, self);
    }

    /// Resets to the state of keyframe `key`; returns false if `key` is out of range. Histories are those of
    /// [`reset`](Self::reset), independent of the time of the keyframe.
    #[doc(alias = "mj_resetDataKeyframe")]
    pub fn reset_to_keyframe(&mut self, m: &Model, key: usize) -> bool {
        if key >= m.nkey {
            return false;
        }
        self.reset(m);
        self.time = m.key_time[key];
        self.qpos.copy_from_slice(&m.key_qpos[key * m.nq..][..m.nq]);
        self.qvel.copy_from_slice(&m.key_qvel[key * m.nv..][..m.nv]);
        self.act.copy_from_slice(&m.key_act[key * m.na..][..m.na]);
        self.mocap_pos.copy_from_slice(&m.key_mpos[key * 3 * m.nmocap..][..3 * m.nmocap]);
        self.mocap_quat.copy_from_slice(&m.key_mquat[key * 4 * m.nmocap..][..4 * m.nmocap]);
        self.ctrl.copy_from_slice(&m.key_ctrl[key * m.nu..][..m.nu]);
        true
    }
}
