//! Snapshots of all fields of a `Data`, and invalid values for those of a stage.

use sim_core::field::FieldView;
use sim_core::types::Contact;
use sim_core::{Data, Stage};

/// Value of the integer fields that a stage has to overwrite.
const GARBAGE: i32 = -77;

/// `Contact::exclude` of a contact that `mj_make_constraint` excluded because no dof moves its bodies.
const NO_DOFS: i32 = 3;

/// A field or scalar: its name, the stage that writes it, and its bits.
pub(super) type Row = (&'static str, Stage, Vec<u64>);

/// The members of contacts that `mj_make_constraint` writes: `mu`, `exclude` and `efc_address`.
pub(super) const CONTACT_ROWS: &str = "contact rows";

/// A contact as `mj_collision` leaves it.
fn without_rows(contact: &Contact) -> Contact {
    let exclude = if contact.exclude == NO_DOFS { 0 } else { contact.exclude };
    Contact { mu: 0.0, exclude, efc_address: -1, ..*contact }
}

/// The debug form of a value as numbers.
fn text_bits(value: impl std::fmt::Debug) -> Vec<u64> {
    format!("{value:?}").bytes().map(u64::from).collect()
}

/// All fields and scalars of a data.
pub(super) fn snapshot(d: &Data) -> Vec<Row> {
    let mut all = Vec::new();
    d.visit(&mut |row, view| {
        let bits = match view {
            FieldView::F64(v) => v.iter().map(|x| x.to_bits()).collect(),
            FieldView::I32(v) => v.iter().map(|&x| u64::from(x.cast_unsigned())).collect(),
            FieldView::U8(v) => v.iter().map(|&x| u64::from(x)).collect(),
            // the debug form of a float is exact
            FieldView::Contact(v) => v.iter().map(without_rows).flat_map(text_bits).collect(),
            other => vec![other.len() as u64],
        };
        all.push((row.name, row.stage, bits));
    });
    let rows = d.contact.iter().flat_map(|c| text_bits((c.mu, c.exclude, c.efc_address)));
    all.push((CONTACT_ROWS, Stage::MakeConstraint, rows.collect()));
    for (name, stage, value) in [
        ("time", Stage::State, d.time.to_bits()),
        ("ncon", Stage::Collision, d.ncon as u64),
        ("ne", Stage::MakeConstraint, d.ne as u64),
        ("nf", Stage::MakeConstraint, d.nf as u64),
        ("nl", Stage::MakeConstraint, d.nl as u64),
        ("nefc", Stage::MakeConstraint, d.nefc as u64),
        ("nJ", Stage::MakeConstraint, d.nJ as u64),
        ("nA", Stage::ProjectConstraint, d.nA as u64),
        ("nisland", Stage::Island, d.nisland as u64),
        ("nidof", Stage::Island, d.nidof as u64),
        ("ntree_awake", Stage::Sleep, d.ntree_awake as u64),
        ("nbody_awake", Stage::Sleep, d.nbody_awake as u64),
        ("nparent_awake", Stage::Sleep, d.nparent_awake as u64),
        ("nv_awake", Stage::Sleep, d.nv_awake as u64),
    ] {
        all.push((name, stage, vec![value]));
    }
    all
}

/// Overwrites the integer fields of a stage, and empties its arrays that have variable length.
pub(super) fn invalidate(d: &mut Data, stage: Stage) {
    match stage {
        Stage::Tendon => {
            for field in [&mut d.ten_wrapadr, &mut d.ten_wrapnum, &mut d.wrap_obj] {
                field.fill(GARBAGE);
            }
        }
        Stage::Transmission => {
            for field in [&mut d.moment_rownnz, &mut d.moment_rowadr, &mut d.moment_colind] {
                field.fill(GARBAGE);
            }
        }
        Stage::Collision => {
            d.contact.clear();
            d.ncon = 0;
        }
        Stage::MakeConstraint => {
            (d.ne, d.nf, d.nl, d.nefc, d.nJ) = (1, 2, 3, 4, 5);
            for contact in &mut d.contact {
                contact.mu = f64::NAN;
                contact.efc_address = GARBAGE;
                if contact.exclude == NO_DOFS {
                    contact.exclude = 0;
                }
            }
            d.efc_type.clear();
            for field in [
                &mut d.efc_id,
                &mut d.efc_J_rownnz,
                &mut d.efc_J_rowadr,
                &mut d.efc_J_rowsuper,
                &mut d.efc_J_colind,
                &mut d.tendon_efcadr,
            ] {
                field.clear();
            }
            d.efc_J.clear();
        }
        Stage::Island => {
            (d.nisland, d.nidof) = (7, 7);
            for field in [
                &mut d.tree_island,
                &mut d.island_ntree,
                &mut d.island_itreeadr,
                &mut d.map_itree2tree,
                &mut d.dof_island,
                &mut d.island_nv,
                &mut d.island_idofadr,
                &mut d.island_dofadr,
                &mut d.map_dof2idof,
                &mut d.map_idof2dof,
                &mut d.efc_island,
                &mut d.island_ne,
                &mut d.island_nf,
                &mut d.island_nefc,
                &mut d.island_iefcadr,
                &mut d.map_efc2iefc,
                &mut d.map_iefc2efc,
                &mut d.iM_colind,
                &mut d.iefc_J_colind,
            ] {
                field.fill(GARBAGE);
            }
        }
        _ => {}
    }
}
