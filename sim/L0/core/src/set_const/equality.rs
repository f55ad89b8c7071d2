//! `eq_data` of `connect` and `weld` that depends on the reference configuration.

use crate::math::{at, mat3, quat, rows, vec3};
use crate::{Data, Model};
use sim_types::{EqType, NEQDATA, ObjType};

/// Computes missing `eq_data` from the body poses in `d`.
pub(super) fn set(m: &mut Model, d: &Data) {
    let xpos = rows::<3>(&d.xpos);
    let (xquat, xmat) = (rows::<4>(&d.xquat), rows::<9>(&d.xmat));
    for i in 0..m.neq {
        let data = &mut m.eq_data[NEQDATA * i..NEQDATA * (i + 1)];
        let anchor = [data[0], data[1], data[2]];
        // the anchor of one body in the frame of the other
        let relative_anchor = |from: usize, to: usize| {
            let world = vec3::add(mat3::mul_vec(&xmat[from], anchor), xpos[from]);
            mat3::mul_transpose_vec(&xmat[to], vec3::sub(world, xpos[to]))
        };
        let bodies = m.eq_objtype[i] == ObjType::Body;
        match m.eq_type[i] {
            EqType::Connect if bodies => {
                let point = relative_anchor(at(&m.eq_obj1id, i), at(&m.eq_obj2id, i));
                data[3..6].copy_from_slice(&point);
            }
            // sites define the anchors
            EqType::Connect => data.fill(0.0),
            EqType::Weld if bodies => {
                let given = [data[6], data[7], data[8], data[9]];
                if given == [0.0; 4] {
                    let (first, second) = (at(&m.eq_obj1id, i), at(&m.eq_obj2id, i));
                    data[3..6].copy_from_slice(&relative_anchor(second, first));
                    let relative = quat::mul(quat::conjugate(xquat[first]), xquat[second]);
                    data[6..10].copy_from_slice(&relative);
                } else {
                    data[6..10].copy_from_slice(&quat::normalize(given));
                }
            }
            _ => {}
        }
    }
}
