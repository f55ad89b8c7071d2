//! Random constraint problems with several trees, all row types and both cones.

use sim_constraint::{ContactRows, Inertia, Info, Params, Problem, Rows, Solution, Workspace};
use sim_types::{ConstraintState, ConstraintType};

/// Signature shared by all solvers.
pub type Solver = fn(&Problem<'_>, &Params, &mut Solution<'_>, &mut Workspace) -> Info;

/// Pseudo-random number generator (`SplitMix64`).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `[-1, 1)`.
    pub fn signed(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// Owned arrays of a [`Problem`].
#[derive(Clone, Default)]
pub struct RandomProblem {
    pub parent: Vec<Option<usize>>,
    pub m_rownnz: Vec<i32>,
    pub m_rowadr: Vec<i32>,
    pub m_colind: Vec<i32>,
    pub m: Vec<f64>,
    pub ld: Vec<f64>,
    pub diag_inv: Vec<f64>,
    pub ne: usize,
    pub nf: usize,
    pub kind: Vec<ConstraintType>,
    pub rownnz: Vec<i32>,
    pub rowadr: Vec<i32>,
    pub colind: Vec<i32>,
    pub j: Vec<f64>,
    pub d: Vec<f64>,
    pub r: Vec<f64>,
    pub aref: Vec<f64>,
    pub frictionloss: Vec<f64>,
    pub contacts: Vec<ContactRows>,
    pub qfrc_smooth: Vec<f64>,
    pub qacc_smooth: Vec<f64>,
}

/// Friction cone of the contacts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cone {
    Pyramidal,
    Elliptic,
}

impl RandomProblem {
    /// A problem with `nv` dofs in several trees and rows of every type.
    pub fn random(seed: u64, nv: usize, contacts: usize, cone: Cone) -> Self {
        let mut rng = Rng::new(seed);
        let mut data = Self::default();
        data.add_trees(&mut rng, nv);
        if nv == 0 {
            return data;
        }
        for _ in 0..2 + rng.below(3) {
            let cols = data.columns(&mut rng);
            data.add_row(&mut rng, ConstraintType::Equality, &cols, 30.0);
        }
        data.ne = data.kind.len();
        for _ in 0..2 + rng.below(3) {
            let dof = rng.below(nv);
            data.add_row(&mut rng, ConstraintType::FrictionDof, &[dof as i32], 10.0);
            let last = data.kind.len() - 1;
            data.frictionloss[last] = 0.5 + rng.signed().abs();
        }
        data.nf = data.kind.len() - data.ne;
        for _ in 0..3 {
            let dof = rng.below(nv);
            data.add_row(&mut rng, ConstraintType::LimitJoint, &[dof as i32], 20.0);
        }
        for _ in 0..contacts {
            data.add_contact(&mut rng, cone);
        }
        data
    }

    /// A pile of free bodies with rows of every type, in which each body has contacts with bodies of similar
    /// index.
    pub fn pile(seed: u64, bodies: usize, contacts: usize, cone: Cone) -> Self {
        let mut rng = Rng::new(seed);
        let mut data = Self::default();
        for dof in 0..6 * bodies {
            data.parent.push(None);
            data.m_rownnz.push(1);
            data.m_rowadr.push(dof as i32);
            data.m_colind.push(dof as i32);
            data.m.push(if dof % 6 < 3 { 4.0 } else { 0.02 } * (1.0 + rng.signed().abs()));
        }
        data.ld.clone_from(&data.m);
        data.diag_inv = data.m.iter().map(|m| 1.0 / m).collect();
        data.qacc_smooth = (0..6 * bodies).map(|_| 3.0 * rng.signed()).collect();
        data.qfrc_smooth = data.times_m(&data.qacc_smooth);
        let dofs = |body: usize| 6 * body as i32..6 * body as i32 + 6;
        let pair = |rng: &mut Rng| {
            let a = rng.below(bodies);
            let b = a + 1 + rng.below(12);
            if b < bodies { dofs(a).chain(dofs(b)).collect() } else { dofs(a).collect::<Vec<_>>() }
        };
        for _ in 0..10 {
            let cols = pair(&mut rng);
            data.add_row(&mut rng, ConstraintType::Equality, &cols, 30.0);
        }
        data.ne = data.kind.len();
        for k in 0..10 {
            data.add_row(&mut rng, ConstraintType::FrictionDof, &[6 * k], 10.0);
            let last = data.kind.len() - 1;
            data.frictionloss[last] = 0.5 + rng.signed().abs();
        }
        data.nf = data.kind.len() - data.ne;
        for k in 0..10 {
            data.add_row(&mut rng, ConstraintType::LimitJoint, &[6 * k + 4], 20.0);
        }
        for _ in 0..contacts {
            let cols = pair(&mut rng);
            data.add_contact_at(&mut rng, cone, &cols);
        }
        // angular entries have the magnitude of a lever arm
        for (j, &c) in data.j.iter_mut().zip(&data.colind) {
            *j *= if c % 6 < 3 { 1.0 } else { 0.1 };
        }
        data
    }

    fn add_trees(&mut self, rng: &mut Rng, nv: usize) {
        for i in 0..nv {
            let new_tree = i == 0 || rng.below(9) == 0;
            let parent = if rng.below(4) == 0 { rng.below(i) } else { i.saturating_sub(1) };
            self.parent.push((!new_tree).then_some(parent));
            let cols = self.chain(i);
            self.m_rownnz.push(cols.len() as i32);
            self.m_rowadr.push(self.m_colind.len() as i32);
            self.m_colind.extend(cols);
        }
        for i in 0..nv {
            for k in self.m_row(i) {
                let diagonal = self.m_colind[k] as usize == i;
                self.ld.push(if diagonal { 1.0 + rng.signed().abs() } else { 0.4 * rng.signed() });
            }
            self.diag_inv.push(1.0 / self.ld[self.ld.len() - 1]);
        }
        // M = Lᵀ D L
        self.m = vec![0.0; self.ld.len()];
        for k in 0..nv {
            let row: Vec<(usize, f64)> = self
                .m_row(k)
                .map(|e| (self.m_colind[e] as usize, self.ld[e]))
                .map(|(c, l)| (c, if c == k { 1.0 } else { l }))
                .collect();
            let d = 1.0 / self.diag_inv[k];
            for (at, &(a, la)) in row.iter().enumerate() {
                for (b, &(_, lb)) in row.iter().enumerate().take(at + 1) {
                    let target = self.m_rowadr[a] as usize + b;
                    self.m[target] += d * la * lb;
                }
            }
        }
        self.qacc_smooth = (0..nv).map(|_| 3.0 * rng.signed()).collect();
        self.qfrc_smooth = self.times_m(&self.qacc_smooth);
    }

    fn m_row(&self, i: usize) -> std::ops::Range<usize> {
        self.m_rowadr[i] as usize..self.m_rowadr[i] as usize + self.m_rownnz[i] as usize
    }

    /// `M x`.
    pub fn times_m(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; x.len()];
        for i in 0..x.len() {
            for k in self.m_row(i) {
                let j = self.m_colind[k] as usize;
                out[i] += self.m[k] * x[j];
                if i != j {
                    out[j] += self.m[k] * x[i];
                }
            }
        }
        out
    }

    /// A dof and its ancestors, root first.
    fn chain(&self, dof: usize) -> Vec<i32> {
        let mut cols = vec![dof as i32];
        let mut dof = dof;
        while let Some(parent) = self.parent[dof] {
            cols.push(parent as i32);
            dof = parent;
        }
        cols.reverse();
        cols
    }

    /// Columns of one chain or of two merged chains.
    fn columns(&self, rng: &mut Rng) -> Vec<i32> {
        let mut cols = self.chain(rng.below(self.parent.len()));
        if rng.below(2) == 0 {
            cols.extend(self.chain(rng.below(self.parent.len())));
            cols.sort_unstable();
            cols.dedup();
        }
        cols
    }

    fn add_row(&mut self, rng: &mut Rng, kind: ConstraintType, cols: &[i32], d: f64) {
        self.kind.push(kind);
        self.rownnz.push(cols.len() as i32);
        self.rowadr.push(self.colind.len() as i32);
        self.colind.extend(cols);
        self.j.extend(cols.iter().map(|_| rng.signed()));
        let d = d * (2.0 * rng.signed()).exp();
        self.d.push(d);
        self.r.push(1.0 / d);
        self.aref.push(2.0 * rng.signed());
        self.frictionloss.push(0.0);
    }

    fn add_contact(&mut self, rng: &mut Rng, cone: Cone) {
        let cols = self.columns(rng);
        self.add_contact_at(rng, cone, &cols);
    }

    fn add_contact_at(&mut self, rng: &mut Rng, cone: Cone, cols: &[i32]) {
        let dim = [1, 3, 4, 6][rng.below(4)];
        let row = self.kind.len();
        let slide = 0.3 + rng.signed().abs();
        let friction = [slide, slide, 0.1, 0.05, 0.05];
        if dim == 1 {
            self.add_row(rng, ConstraintType::ContactFrictionless, cols, 20.0);
            return;
        }
        let impratio: f64 = 2.0;
        let mu = slide / impratio.sqrt();
        if cone == Cone::Pyramidal {
            for k in 0..2 * (dim - 1) {
                self.add_row(rng, ConstraintType::ContactPyramidal, cols, 20.0);
                let (d, r) = (self.d[row], self.r[row]);
                (self.d[row + k], self.r[row + k]) = (d, r);
            }
        } else {
            for k in 0..dim {
                self.add_row(rng, ConstraintType::ContactElliptic, cols, 20.0);
                if k > 0 {
                    let d = self.d[row] * friction[k - 1] * friction[k - 1] / (mu * mu);
                    (self.d[row + k], self.r[row + k]) = (d, 1.0 / d);
                }
            }
        }
        self.contacts.push(ContactRows { row, dim, mu, friction });
    }

    pub fn problem(&self) -> Problem<'_> {
        Problem {
            inertia: Inertia {
                rownnz: &self.m_rownnz,
                rowadr: &self.m_rowadr,
                colind: &self.m_colind,
                m: &self.m,
                ld: &self.ld,
                diag_inv: &self.diag_inv,
            },
            rows: Rows {
                ne: self.ne,
                nf: self.nf,
                kind: &self.kind,
                rownnz: &self.rownnz,
                rowadr: &self.rowadr,
                colind: &self.colind,
                j: &self.j,
                d: &self.d,
                r: &self.r,
                aref: &self.aref,
                frictionloss: &self.frictionloss,
            },
            contacts: &self.contacts,
            qfrc_smooth: &self.qfrc_smooth,
            qacc_smooth: &self.qacc_smooth,
        }
    }
}

/// Owned arrays of a [`Solution`].
#[derive(Clone)]
pub struct SolutionBuffers {
    pub qacc: Vec<f64>,
    pub force: Vec<f64>,
    pub state: Vec<ConstraintState>,
    pub qfrc_constraint: Vec<f64>,
}

impl SolutionBuffers {
    /// Cold start.
    pub fn start(data: &RandomProblem) -> Self {
        Self {
            qacc: data.qacc_smooth.clone(),
            force: vec![0.0; data.kind.len()],
            state: vec![ConstraintState::Satisfied; data.kind.len()],
            qfrc_constraint: vec![0.0; data.qacc_smooth.len()],
        }
    }

    pub fn as_mut(&mut self) -> Solution<'_> {
        Solution {
            qacc: &mut self.qacc,
            force: &mut self.force,
            state: &mut self.state,
            qfrc_constraint: &mut self.qfrc_constraint,
        }
    }
}

/// Largest absolute difference relative to the largest magnitude in `b` (at least 1).
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    let scale = b.iter().fold(1.0f64, |s, x| s.max(x.abs()));
    a.iter().zip(b).fold(0.0f64, |s, (x, y)| s.max((x - y).abs() / scale))
}
