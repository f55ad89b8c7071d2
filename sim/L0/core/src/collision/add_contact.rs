//! User-defined contacts (`mj_addContact`).

use crate::{Data, Model};
use sim_types::{Contact, Warning};

/// Reason for which [`mj_add_contact`] rejects a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddContactError {
    /// The model's limit on contacts is reached.
    #[error("the contact list is full: the model has nconmax=\"{nconmax}\"; raise it in <size>")]
    Full {
        /// `nconmax` of the model.
        nconmax: usize,
    },
    /// A geom index is out of range.
    #[error("geom {geom} does not exist: the model has {ngeom} geoms")]
    NoSuchGeom {
        /// The index.
        geom: i32,
        /// Number of geoms.
        ngeom: usize,
    },
    /// The contact dimension is not valid.
    #[error("contact dimension {dim} is not valid: use 1, 3, 4 or 6")]
    InvalidDim {
        /// The dimension.
        dim: i32,
    },
}

/// Appends a contact to `d.contact`, for the constraint stage to use, and discards the constraint rows and
/// islands of the previous contacts.
///
/// Call it after [`mj_collision`](crate::mj_collision), which clears the list, and before
/// [`mj_make_constraint`](crate::mj_make_constraint). The contact is taken as it is: its `exclude` flag
/// decides whether it gets rows, and with contacts disabled none does. Contacts of deformable bodies stay
/// last in the list.
///
/// # Errors
/// If the list has `nconmax` contacts already (0 sets no limit), which is also counted as [`Warning::ContactFull`]; if a geom
/// does not exist or the dimension is not valid. The data is unchanged then.
///
/// ```
/// # let model = sim_mjcf::load_str(r#"<mujoco><worldbody><geom size="1"/><body pos="0 0 3"><freejoint/>
/// #     <geom size="1"/></body></worldbody></mujoco>"#)?;
/// use sim_core::{mj_add_contact, mj_fwd_position, mj_make_constraint, types::Contact};
/// let mut data = model.make_data();
/// mj_fwd_position(&model, &mut data);
/// let contact = Contact::new([0.0, 0.0, 1.5], [0.0, 0.0, 1.0], 0.01, 0, 1, 0.5);
/// mj_add_contact(&model, &mut data, &contact)?;
/// mj_make_constraint(&model, &mut data);
/// assert_eq!((data.ncon, data.nefc), (1, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "mj_addContact")]
pub fn mj_add_contact(m: &Model, d: &mut Data, contact: &Contact) -> Result<(), AddContactError> {
    // zero: no limit was requested
    if m.nconmax > 0 && d.ncon >= m.nconmax {
        d.warn(Warning::ContactFull, d.ncon);
        return Err(AddContactError::Full { nconmax: m.nconmax });
    }
    if !matches!(contact.dim, 1 | 3 | 4 | 6) {
        return Err(AddContactError::InvalidDim { dim: contact.dim });
    }
    let exists = |geom: i32| usize::try_from(geom).is_ok_and(|geom| geom < m.ngeom);
    if let Some(&geom) = contact.geom.iter().find(|&&geom| !exists(geom)) {
        return Err(AddContactError::NoSuchGeom { geom, ngeom: m.ngeom });
    }
    let mut contacts = std::mem::take(&mut d.contact);
    d.clear_constraints();
    let position = d.deformables.as_mut().map_or(contacts.len(), |deformable| {
        deformable.first_contact += 1;
        deformable.first_contact - 1
    });
    contacts.insert(position.min(contacts.len()), Contact { efc_address: -1, ..*contact });
    d.ncon = contacts.len();
    d.contact = contacts;
    Ok(())
}
