//! Tree groups: kinematic trees partitioned over the lanes of a workgroup. Where only contacts can couple trees, each
//! subgroup of lanes owns a group of trees and solves its constraint problem separately while no contact couples it to
//! another group.

use super::spatial_tendon::is_spatial;
use crate::layout::ModelTables;
use crate::linear_solve::{border, lanes};
use sim_core::Model;
use sim_types::{EqType, Integrator, ObjType, TransmissionType};

/// Lanes of a tree group.
pub(crate) const GROUP_LANES: usize = 32;

/// Marks a lane without a dof.
const IDLE: usize = 1 << 31;

/// The dofs of each tree group. There is one group, of all lanes, if anything but contacts couples the trees.
#[derive(Debug, PartialEq)]
pub(crate) struct TreeGroups {
    dofs: Vec<Vec<usize>>,
    lanes: usize,
    /// Dofs beyond the lanes that the linear solver eliminates before all others.
    border: usize,
}

impl TreeGroups {
    /// Groups for workgroups of at most `max_lanes` lanes.
    pub(crate) fn new(m: &Model, max_lanes: usize) -> Self {
        let lanes = lanes(m.nv).min(max_lanes);
        let one = Self { dofs: vec![(0..m.nv).collect()], lanes, border: 0 };
        if one.lanes <= GROUP_LANES {
            return one;
        }
        let mut dofs: Vec<Vec<usize>> = Vec::new();
        let mut next = 0;
        for tree in m.dof_treeid.chunk_by(|a, b| a == b) {
            let own = next..next + tree.len();
            next = own.end;
            match dofs.last_mut().filter(|group| group.len() + tree.len() <= GROUP_LANES) {
                Some(group) => group.extend(own),
                None => dofs.push(own.collect()),
            }
        }
        // each group has a subgroup, also where all dofs together are too many for registers
        let needed = dofs.len() * GROUP_LANES;
        let lanes = if m.nv > one.lanes { needed } else { one.lanes };
        let several = Self { dofs, lanes, border: 0 };
        let fits =
            needed <= lanes.min(max_lanes) && several.dofs.iter().all(|d| d.len() <= GROUP_LANES);
        if fits && several.len() > 1 && !several.coupled(m) {
            return several;
        }
        // the elimination of the border uses the symmetry of the matrix
        match border(m.nv) {
            border if lanes >= m.nv && m.opt.integrator != Integrator::Implicit => {
                Self { lanes: if border > 0 { m.nv - border } else { lanes }, border, ..one }
            }
            _ => one,
        }
    }

    /// Dofs beyond the lanes that the linear solver eliminates before all others.
    pub(crate) fn border(&self) -> usize {
        self.border
    }

    /// Lanes of a workgroup.
    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    pub(crate) fn len(&self) -> usize {
        self.dofs.len()
    }

    /// `vec4` columns of matrices; the columns of each group start at a multiple of four.
    pub(crate) fn vec4s(&self) -> usize {
        self.dofs.iter().map(|group| group.len().div_ceil(4)).sum()
    }

    /// Dofs of the largest group.
    pub(crate) fn max_nv(&self) -> usize {
        self.dofs.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The group of each dof.
    pub(crate) fn of_dofs(&self) -> Vec<usize> {
        let groups = self.dofs.iter().enumerate();
        groups.flat_map(|(group, dofs)| dofs.iter().map(move |_| group)).collect()
    }

    /// The group of a body; `None` if it is static.
    pub(crate) fn of_body(&self, m: &Model, body: usize) -> Option<usize> {
        let tree = m.body_treeid[body];
        let dof = m.dof_treeid.iter().position(|&other| tree >= 0 && other == tree)?;
        self.dofs.iter().position(|group| group.contains(&dof))
    }

    /// Adds the tables of groups.
    pub(crate) fn add_tables(&self, t: &mut ModelTables) {
        let mut starts = vec![0];
        let (mut back, mut rows) = (Vec::new(), Vec::new());
        for group in &self.dofs {
            let vec4s = group.len().div_ceil(4);
            back.extend(group.iter().copied().chain(std::iter::repeat(usize::MAX)).take(4 * vec4s));
            starts.push(starts.last().map_or(0, |first| first + vec4s));
            let idle = std::iter::repeat(group.first().map_or(IDLE, |dof| dof | IDLE));
            let own = if self.len() > 1 { GROUP_LANES } else { self.lanes };
            rows.extend(group.iter().copied().chain(idle).take(own));
        }
        rows.resize(self.lanes.max(rows.len()), IDLE);
        t.size("NGROUP", self.len());
        // first vec4 column of each group, the column of each dof, the dof of each column
        t.indices("GROUP_COLUMN4", starts);
        t.indices("GROUP_NV", self.dofs.iter().map(Vec::len));
        t.indices("DOF_COLUMN", self.columns());
        t.indices("COLUMN_DOF", back);
        t.indices("DOF_GROUP", self.of_dofs());
        // the dof of each lane; an idle lane repeats the first dof of its group
        t.indices("LANE_DOF", rows);
    }

    /// The column of each dof.
    pub(crate) fn columns(&self) -> Vec<usize> {
        let mut first = 0;
        let mut columns = Vec::new();
        for group in &self.dofs {
            columns.extend(first..first + group.len());
            first += group.len().next_multiple_of(4);
        }
        columns
    }

    /// The group of a joint.
    fn of_joint(&self, m: &Model, joint: i32) -> Option<usize> {
        let dof = m.jnt_dofadr[usize::try_from(joint).ok()?] as usize;
        self.dofs.iter().position(|group| group.contains(&dof))
    }

    fn of_site(&self, m: &Model, site: i32) -> Option<usize> {
        self.of_body(m, m.site_bodyid[usize::try_from(site).ok()?] as usize)
    }

    /// The groups of the joints of a fixed tendon; none for a spatial tendon.
    fn of_path(&self, m: &Model, tendon: usize) -> impl Iterator<Item = Option<usize>> {
        let first = m.tendon_adr[tendon] as usize;
        let count = if is_spatial(m, tendon) { 0 } else { m.tendon_num[tendon] as usize };
        m.wrap_objid[first..first + count].iter().map(|&joint| self.of_joint(m, joint))
    }

    /// The groups of both sides of an equality constraint, where no tendon couples several.
    pub(crate) fn of_equality(&self, m: &Model, e: usize) -> [Option<usize>; 2] {
        let first = |t: i32| self.of_path(m, usize::try_from(t).ok()?).next().flatten();
        [m.eq_obj1id[e], m.eq_obj2id[e]].map(|id| match (m.eq_type[e], m.eq_objtype[e]) {
            (EqType::Joint, _) => self.of_joint(m, id),
            (EqType::Tendon, _) => first(id),
            (_, ObjType::Body) => self.of_body(m, usize::try_from(id).ok()?),
            _ => self.of_site(m, id),
        })
    }

    /// Whether anything but contacts couples dofs of different groups.
    fn coupled(&self, m: &Model) -> bool {
        let split = |[a, b]: [Option<usize>; 2]| a.is_some() && b.is_some() && a != b;
        let tendon = |t: usize| {
            let first = self.of_path(m, t).next().flatten();
            self.of_path(m, t).any(|group| split([first, group]))
        };
        let actuator = |i: usize| {
            let sites = [m.actuator_trnid[2 * i], m.actuator_trnid[2 * i + 1]];
            matches!(m.actuator_trntype[i], TransmissionType::Site | TransmissionType::SliderCrank)
                && split(sites.map(|site| self.of_site(m, site)))
        };
        (0..m.ntendon).any(|t| is_spatial(m, t) || tendon(t))
            || (0..m.neq).any(|e| split(self.of_equality(m, e)))
            || (0..m.nu).any(actuator)
    }
}

#[cfg(test)]
mod tests {
    use super::TreeGroups;

    fn groups(more: &str) -> TreeGroups {
        let chain = |name: char| {
            let links = "<body><joint/><geom size='.1'/>".repeat(24);
            let end = "</body>".repeat(25);
            format!("<body name='{name}'><joint name='{name}'/><geom size='.1'/>{links}{end}")
        };
        let (a, b) = (chain('a'), chain('b'));
        let text = format!("<mujoco><worldbody>{a}{b}</worldbody>{more}</mujoco>");
        TreeGroups::new(&sim_mjcf::load_str(&text).unwrap_or_else(|error| panic!("{error}")), 1024)
    }

    #[test]
    fn trees_are_grouped_unless_something_couples_them() {
        let separate = groups("");
        assert_eq!((separate.len(), separate.max_nv(), separate.vec4s()), (2, 25, 14));
        let within = groups("<tendon><fixed><joint joint='a' coef='1'/></fixed></tendon>");
        assert_eq!(within.len(), 2);
        for coupling in [
            "<equality><joint joint1='a' joint2='b'/></equality>",
            "<equality><connect body1='a' body2='b' anchor='0 0 0'/></equality>",
            "<tendon><fixed><joint joint='a' coef='1'/><joint joint='b' coef='1'/></fixed></tendon>",
        ] {
            assert_eq!(groups(coupling).len(), 1, "{coupling}");
        }
        assert_eq!(groups("<equality><connect body1='a' anchor='0 0 0'/></equality>").len(), 2);
    }
}
