//! Selection of the contacts of one pair when there are too many.

use super::super::manifold::MAX_CONTACT_POINTS;
use super::work::Thinning;
use crate::math::vec3;
use sim_types::Contact;

/// Larger than every squared distance.
const FAR: f64 = 1e10;

/// Reduces the contacts from `first` on to the largest number of one pair: the deepest, then repeatedly the one
/// farthest from those selected.
///
/// As in MuJoCo 3.8.0, distances and marks belong to positions in the list while contacts are exchanged, and the
/// last selected contact is not moved to the front.
#[doc(alias = "filterFlexContacts")]
pub(super) fn thin(contacts: &mut Vec<Contact>, first: usize, work: &mut Thinning) {
    let list = &mut contacts[first..];
    if list.len() <= MAX_CONTACT_POINTS {
        return;
    }
    // a selected position has the distance NaN, for which all comparisons are false
    let Thinning { distances, positions } = work;
    distances.clear();
    distances.resize(list.len(), FAR);
    positions.clear();
    positions.extend(list.iter().map(|contact| contact.pos));
    let mut best = 0;
    for i in 1..list.len() {
        if list[i].dist < list[best].dist {
            best = i;
        }
    }
    for selected in 0..MAX_CONTACT_POINTS {
        distances[best] = f64::NAN;
        let pos = positions[best];
        let (mut next, mut farthest) = (None, -1.0);
        for (i, (distance, &other)) in distances.iter_mut().zip(positions.iter()).enumerate() {
            let offset = vec3::sub(other, pos);
            let square = vec3::dot(offset, offset);
            if square < *distance {
                *distance = square;
            }
            if *distance > farthest {
                (next, farthest) = (Some(i), *distance);
            }
        }
        if selected + 1 < MAX_CONTACT_POINTS {
            list.swap(selected, best);
            positions.swap(selected, best);
            if next == Some(selected) {
                next = Some(best);
            }
        }
        match next {
            Some(next) => best = next,
            None => break,
        }
    }
    contacts.truncate(first + MAX_CONTACT_POINTS);
}
