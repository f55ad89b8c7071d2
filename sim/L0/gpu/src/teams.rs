//! Trees of dofs shared out over the lanes of a workgroup: where nothing but contacts can tie trees, each
//! subgroup's worth of lanes is a team that has some trees for itself, and solves for them alone while no
//! contact ties them to those of another.

use crate::solve::lanes;
use crate::table::Tables;
use sim_core::Model;
use sim_types::{EqType, ObjType, TransmissionType};

/// Lanes of a team.
pub(crate) const TEAM: usize = 32;

/// Marks a lane without a dof.
const IDLE: usize = 1 << 31;

/// The dofs of each team. There is one team, of all lanes, where trees cannot be told apart.
#[derive(Debug, PartialEq)]
pub(crate) struct Teams {
    dofs: Vec<Vec<usize>>,
    lanes: usize,
}

impl Teams {
    pub(crate) fn new(m: &Model, one_lane: bool) -> Self {
        let lanes = if one_lane { 1 } else { lanes(m.nv) };
        let one = Self { dofs: vec![(0..m.nv).collect()], lanes };
        if lanes <= TEAM || m.nv > lanes {
            return one;
        }
        let mut dofs: Vec<Vec<usize>> = Vec::new();
        let mut next = 0;
        for tree in m.dof_treeid.chunk_by(|a, b| a == b) {
            let own = next..next + tree.len();
            next = own.end;
            match dofs.last_mut().filter(|team| team.len() + tree.len() <= TEAM) {
                Some(team) => team.extend(own),
                None => dofs.push(own.collect()),
            }
        }
        let several = Self { dofs, lanes };
        let fits = several.len() * TEAM <= lanes && several.dofs.iter().all(|d| d.len() <= TEAM);
        if fits && several.len() > 1 && !several.tied(m) { several } else { one }
    }

    /// Lanes of a workgroup.
    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    pub(crate) fn len(&self) -> usize {
        self.dofs.len()
    }

    /// Columns of matrices, by fours: each team's begin with a new four.
    pub(crate) fn fours(&self) -> usize {
        self.dofs.iter().map(|team| team.len().div_ceil(4)).sum()
    }

    /// Most dofs of a team.
    pub(crate) fn widest(&self) -> usize {
        self.dofs.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The team of each dof.
    pub(crate) fn of_dofs(&self) -> Vec<usize> {
        let teams = self.dofs.iter().enumerate();
        teams.flat_map(|(team, dofs)| dofs.iter().map(move |_| team)).collect()
    }

    /// The team that a body belongs to; `None` if nothing moves it.
    pub(crate) fn of_body(&self, m: &Model, body: usize) -> Option<usize> {
        let tree = m.body_treeid[body];
        let dof = m.dof_treeid.iter().position(|&other| tree >= 0 && other == tree)?;
        self.dofs.iter().position(|team| team.contains(&dof))
    }

    /// Adds what kernels read about teams.
    pub(crate) fn fill(&self, t: &mut Tables) {
        let mut starts = vec![0];
        let (mut back, mut rows) = (Vec::new(), Vec::new());
        for team in &self.dofs {
            let fours = team.len().div_ceil(4);
            back.extend(team.iter().copied().chain(std::iter::repeat(usize::MAX)).take(4 * fours));
            starts.push(starts.last().map_or(0, |first| first + fours));
            let idle = std::iter::repeat(team.first().map_or(IDLE, |dof| dof | IDLE));
            let own = if self.len() > 1 { TEAM } else { self.lanes };
            rows.extend(team.iter().copied().chain(idle).take(own));
        }
        rows.resize(self.lanes.max(rows.len()), IDLE);
        t.constant("TEAMS", self.len());
        // where each team's columns begin, by fours; the column of each dof, the dof of each column
        t.indices("TEAM_FOUR", starts);
        t.indices("TEAM_SIZE", self.dofs.iter().map(Vec::len));
        t.indices("COLUMN", self.columns());
        t.indices("COLUMN_DOF", back);
        t.indices("DOF_TEAM", self.of_dofs());
        // the dof whose row each lane has; a lane without one goes along with one of its team
        t.indices("LANE_DOF", rows);
    }

    /// The column of each dof.
    pub(crate) fn columns(&self) -> Vec<usize> {
        let mut first = 0;
        let mut columns = Vec::new();
        for team in &self.dofs {
            columns.extend(first..first + team.len());
            first += team.len().next_multiple_of(4);
        }
        columns
    }

    /// The team of a joint.
    fn of_joint(&self, m: &Model, joint: i32) -> Option<usize> {
        let dof = m.jnt_dofadr[usize::try_from(joint).ok()?] as usize;
        self.dofs.iter().position(|team| team.contains(&dof))
    }

    fn of_site(&self, m: &Model, site: i32) -> Option<usize> {
        self.of_body(m, m.site_bodyid[usize::try_from(site).ok()?] as usize)
    }

    /// The teams of a tendon's joints.
    fn of_path(&self, m: &Model, tendon: usize) -> impl Iterator<Item = Option<usize>> {
        let first = m.tendon_adr[tendon] as usize;
        let path = &m.wrap_objid[first..first + m.tendon_num[tendon] as usize];
        path.iter().map(|&joint| self.of_joint(m, joint))
    }

    /// The teams of both sides of an equality constraint, where no tendon ties several.
    pub(crate) fn of_equality(&self, m: &Model, e: usize) -> [Option<usize>; 2] {
        let first = |t: i32| self.of_path(m, usize::try_from(t).ok()?).next().flatten();
        [m.eq_obj1id[e], m.eq_obj2id[e]].map(|id| match (m.eq_type[e], m.eq_objtype[e]) {
            (EqType::Joint, _) => self.of_joint(m, id),
            (EqType::Tendon, _) => first(id),
            (_, ObjType::Body) => self.of_body(m, usize::try_from(id).ok()?),
            _ => self.of_site(m, id),
        })
    }

    /// Whether anything but contacts ties dofs of different teams.
    fn tied(&self, m: &Model) -> bool {
        let split = |[a, b]: [Option<usize>; 2]| a.is_some() && b.is_some() && a != b;
        let tendon = |t: usize| {
            let first = self.of_path(m, t).next().flatten();
            self.of_path(m, t).any(|team| split([first, team]))
        };
        let actuator = |i: usize| {
            let sites = [m.actuator_trnid[2 * i], m.actuator_trnid[2 * i + 1]];
            m.actuator_trntype[i] == TransmissionType::Site
                && split(sites.map(|site| self.of_site(m, site)))
        };
        (0..m.ntendon).any(tendon)
            || (0..m.neq).any(|e| split(self.of_equality(m, e)))
            || (0..m.nu).any(actuator)
    }
}

#[cfg(test)]
mod tests {
    use super::Teams;

    fn teams(more: &str) -> Teams {
        let chain = |name: char| {
            let links = "<body><joint/><geom size='.1'/>".repeat(24);
            let end = "</body>".repeat(25);
            format!("<body name='{name}'><joint name='{name}'/><geom size='.1'/>{links}{end}")
        };
        let (a, b) = (chain('a'), chain('b'));
        let text = format!("<mujoco><worldbody>{a}{b}</worldbody>{more}</mujoco>");
        Teams::new(&sim_mjcf::load_str(&text).unwrap_or_else(|error| panic!("{error}")), false)
    }

    #[test]
    fn trees_are_apart_unless_something_ties_them() {
        let apart = teams("");
        assert_eq!((apart.len(), apart.widest(), apart.fours()), (2, 25, 14));
        let within = teams("<tendon><fixed><joint joint='a' coef='1'/></fixed></tendon>");
        assert_eq!(within.len(), 2);
        for tie in [
            "<equality><joint joint1='a' joint2='b'/></equality>",
            "<equality><connect body1='a' body2='b' anchor='0 0 0'/></equality>",
            "<tendon><fixed><joint joint='a' coef='1'/><joint joint='b' coef='1'/></fixed></tendon>",
        ] {
            assert_eq!(teams(tie).len(), 1, "{tie}");
        }
        assert_eq!(teams("<equality><connect body1='a' anchor='0 0 0'/></equality>").len(), 2);
    }
}
