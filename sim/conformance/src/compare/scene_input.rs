//! Arguments of the recorded scenes: states, results of forward dynamics, options, cameras, perturbations.

use super::STATE;
use crate::Archive;
use sim_core::types::{ConstraintType, Contact, StepError};
use sim_core::{Data, Model, mj_forward};
use sim_scene::{
    Camera, CameraType, Category, FrameMode, LabelMode, NGROUP, Perturb, VisFlag, VisOption,
};

/// Arguments of `mjv_updateScene`.
pub(super) struct Arguments {
    pub(super) state: usize,
    pub(super) option: VisOption,
    pub(super) perturb: Perturb,
    pub(super) camera: Camera,
    pub(super) catmask: Category,
    pub(super) maxgeom: usize,
}

impl Arguments {
    /// The arguments of a recorded case.
    pub(super) fn of_case(archive: &Archive, case: usize) -> Self {
        let row = |name: &str| archive.row(&format!("scene/case/{name}"), case);
        let number = |name: &str| row(name).first().copied().unwrap_or(0.0);
        Self {
            state: number("state") as usize,
            option: option(row("option")),
            perturb: perturb(row("perturb")),
            camera: camera(row("camera")),
            catmask: Category(number("catmask") as i32),
            maxgeom: number("maxgeom") as usize,
        }
    }
}

/// What differs from the defaults.
impl std::fmt::Display for Arguments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let default = VisOption::default();
        write!(f, "state {} {:?} camera", self.state, self.camera.kind)?;
        if self.catmask != Category::ALL {
            write!(f, ", categories {}", self.catmask.0)?;
        }
        if self.option.label != LabelMode::None {
            write!(f, ", label {:?}", self.option.label)?;
        }
        if self.option.frame != FrameMode::None {
            write!(f, ", frame {:?}", self.option.frame)?;
        }
        let changed = |flag: &&VisFlag| self.option.flag(**flag) != default.flag(**flag);
        let changed: Vec<_> = VisFlag::ALL.iter().filter(changed).collect();
        if !changed.is_empty() {
            write!(f, ", flags changed {changed:?}")?;
        }
        Ok(())
    }
}

/// Sequential reader of a row of numbers; missing ones are zero.
struct Numbers<'a>(std::slice::Iter<'a, f64>);

impl Numbers<'_> {
    fn real(&mut self) -> f64 {
        self.0.next().copied().unwrap_or(0.0)
    }
    fn int(&mut self) -> i32 {
        self.real() as i32
    }
    fn array<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.real())
    }
    fn bits<const N: usize>(&mut self) -> [bool; N] {
        std::array::from_fn(|_| self.real() != 0.0)
    }
}

fn option(row: &[f64]) -> VisOption {
    let mut n = Numbers(row.iter());
    let (label, frame, bvh_depth, flex_layer) = (n.int(), n.int(), n.int(), n.int());
    let mut group = || n.bits::<NGROUP>();
    VisOption {
        label: LabelMode::from_number(label).unwrap_or_default(),
        frame: FrameMode::from_number(frame).unwrap_or_default(),
        geomgroup: group(),
        sitegroup: group(),
        jointgroup: group(),
        tendongroup: group(),
        actuatorgroup: group(),
        flexgroup: group(),
        skingroup: group(),
        flags: n.bits(),
        bvh_depth,
        flex_layer,
    }
}

/// A perturbation from its recorded numbers.
pub(super) fn perturb(row: &[f64]) -> Perturb {
    let mut n = Numbers(row.iter());
    Perturb {
        select: n.int(),
        flexselect: n.int(),
        skinselect: n.int(),
        active: n.int(),
        active2: n.int(),
        refpos: n.array(),
        refquat: n.array(),
        refselpos: n.array(),
        localpos: n.array(),
        localmass: n.real(),
        scale: n.real(),
    }
}

/// The numbers of a perturbation in the order of the recording.
pub(super) fn perturb_numbers(p: &Perturb) -> Vec<f64> {
    let ids = [p.select, p.flexselect, p.skinselect, p.active, p.active2].map(f64::from);
    let vectors = p.refpos.iter().chain(&p.refquat).chain(&p.refselpos).chain(&p.localpos);
    ids.iter().chain(vectors).copied().chain([p.localmass, p.scale]).collect()
}

/// An abstract camera from its recorded numbers.
pub(super) fn camera(row: &[f64]) -> Camera {
    let mut n = Numbers(row.iter());
    Camera {
        kind: CameraType::from_number(n.int()).unwrap_or_default(),
        fixedcamid: n.int(),
        trackbodyid: n.int(),
        lookat: n.array(),
        distance: n.real(),
        azimuth: n.real(),
        elevation: n.real(),
        orthographic: n.real() != 0.0,
    }
}

/// The numbers of an abstract camera in the order of the recording.
pub(super) fn camera_numbers(c: &Camera) -> Vec<f64> {
    let ids = [c.kind.number(), c.fixedcamid, c.trackbodyid].map(f64::from);
    let rest = [c.distance, c.azimuth, c.elevation, f64::from(u8::from(c.orthographic))];
    ids.into_iter().chain(c.lookat).chain(rest).collect()
}

/// The recorded states, each with the oracle's results of forward dynamics.
pub(super) struct States {
    all: Vec<Data>,
}

impl States {
    pub(super) fn new(archive: &Archive, m: &Model) -> Self {
        let mut varying = Varying::default();
        let count = archive.count("scene/in/time");
        let all = (0..count).map(|k| {
            let mut d = input(archive, m, k);
            fixed(archive, &mut d, k);
            varying.load(archive, m, &mut d, k);
            d
        });
        Self { all: all.collect() }
    }

    /// Data of a state.
    pub(super) fn data(&mut self, m: &Model, state: usize) -> &Data {
        if self.all.is_empty() {
            self.all.push(m.make_data());
        }
        let last = self.all.len() - 1;
        &self.all[state.min(last)]
    }
}

/// Data with a recorded state and its inputs.
fn input(archive: &Archive, m: &Model, k: usize) -> Data {
    let mut d = m.make_data();
    let row = |name: &str| archive.row(&format!("scene/in/{name}"), k);
    d.time = row("time").first().copied().unwrap_or(0.0);
    for name in STATE {
        if let Some(field) = d.field_mut(name)
            && field.len() == row(name).len()
        {
            field.copy_from_slice(row(name));
        }
    }
    for (active, &x) in d.eq_active.iter_mut().zip(row("eq_active")) {
        *active = x != 0.0;
    }
    d
}

/// Data of a recorded state after our own forward dynamics.
pub(super) fn own_data(archive: &Archive, m: &Model, k: usize) -> Result<Data, StepError> {
    let mut d = input(archive, m, k);
    mj_forward(m, &mut d)?;
    Ok(d)
}

/// Copies the recorded arrays of fixed length.
fn fixed(archive: &Archive, d: &mut Data, k: usize) {
    for name in archive.names("scene/data/").collect::<Vec<_>>() {
        let row = archive.row(&format!("scene/data/{name}"), k);
        if let Some(field) = d.field_mut(name)
            && field.len() == row.len()
        {
            field.copy_from_slice(row);
        }
    }
    let row = |name: &str| archive.row(&format!("scene/data/{name}"), k);
    let integers = [
        (&mut d.ten_wrapadr, "ten_wrapadr"),
        (&mut d.ten_wrapnum, "ten_wrapnum"),
        (&mut d.wrap_obj, "wrap_obj"),
        (&mut d.body_awake, "body_awake"),
        (&mut d.tree_asleep, "tree_asleep"),
    ];
    for (field, name) in integers {
        field.iter_mut().zip(row(name)).for_each(|(to, &from)| *to = from as i32);
    }
    d.bvh_active.iter_mut().zip(row("bvh_active")).for_each(|(to, &from)| *to = from != 0.0);
}

/// Positions in the concatenated arrays of varying length.
#[derive(Default)]
struct Varying {
    contact: usize,
    row: usize,
    island: usize,
    island_row: usize,
    island_dof: usize,
    tendon: usize,
}

impl Varying {
    /// Copies the contacts, constraint rows and islands of the next state.
    fn load(&mut self, archive: &Archive, m: &Model, d: &mut Data, k: usize) {
        let slice = |name: &str, start: usize, count: usize, width: usize| {
            let all = archive.get(&format!("scene/{name}"));
            all.get(start * width..(start + count) * width).unwrap_or(&[])
        };
        let integers = |row: &[f64]| row.iter().map(|&x| x as i32).collect::<Vec<_>>();
        let ncon = archive.row("scene/ncon", k).first().copied().unwrap_or(0.0) as usize;
        d.contact = (0..ncon).map(|i| contact(archive, self.contact + i)).collect();
        d.ncon = ncon;
        self.contact += ncon;

        let sizes = archive.row("scene/sizes", k);
        let size = |i: usize| sizes.get(i).copied().unwrap_or(0.0) as usize;
        (d.ne, d.nf, d.nl, d.nefc, d.nisland) = (size(0), size(1), size(2), size(3), size(4));
        let rows = d.nefc;
        let kind = |&x: &f64| ConstraintType::from_number(x as i32).unwrap_or_default();
        d.efc_type = slice("efc/type", self.row, rows, 1).iter().map(kind).collect();
        d.efc_id = integers(slice("efc/id", self.row, rows, 1));
        d.efc_KBIP = slice("efc/KBIP", self.row, rows, 4).to_vec();
        d.efc_force = slice("efc/force", self.row, rows, 1).to_vec();
        self.row += rows;

        if d.nisland > 0 {
            d.efc_island = integers(slice("island/efc_island", self.island_row, rows, 1));
            d.island_dofadr = integers(slice("island/island_dofadr", self.island, d.nisland, 1));
            d.dof_island = integers(slice("island/dof_island", self.island_dof, m.nv, 1));
            self.island_row += rows;
            self.island += d.nisland;
            self.island_dof += m.nv;
        }
        if m.ntendon > 0 && rows > 0 {
            d.tendon_efcadr = integers(slice("island/tendon_efcadr", self.tendon, m.ntendon, 1));
            self.tendon += m.ntendon;
        }
    }
}

/// A recorded contact.
fn contact(archive: &Archive, i: usize) -> Contact {
    let get = |name: &str, width: usize| {
        let all = archive.get(&format!("scene/contact/{name}"));
        Numbers(all.get(i * width..(i + 1) * width).unwrap_or(&[]).iter())
    };
    // recorded for models with flexes only
    let objects = |name: &str| {
        let all = archive.get(&format!("scene/contact/{name}"));
        let found = all.get(2 * i..2 * i + 2);
        found.map_or([-1; 2], |ids| [ids[0] as i32, ids[1] as i32])
    };
    Contact {
        dist: get("dist", 1).real(),
        pos: get("pos", 3).array(),
        frame: get("frame", 9).array(),
        friction: get("friction", 5).array(),
        dim: get("dim", 1).int(),
        geom: objects("geom"),
        flex: objects("flex"),
        elem: objects("elem"),
        vert: objects("vert"),
        efc_address: get("efc_address", 1).int(),
        exclude: get("exclude", 1).int(),
        ..Contact::default()
    }
}
