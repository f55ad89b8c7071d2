//! Memory usage of `Data`, and `efc_AR`.

use crate::models::{constrained, driven, load};
use crate::tolerance::{ALGORITHM, close};
use nalgebra::DMatrix;
use sim_core::{inertia_matrix, mj_forward, mj_project_constraint, mj_step};

/// Memory grows with the number of active contacts and does not shrink.
#[test]
fn memory_grows_with_contacts_and_does_not_shrink() {
    let bodies: String = (0..20)
        .map(|k| {
            let z = 0.2 + 0.25 * f64::from(k);
            format!(r#"<body pos="0 0 {z}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>"#)
        })
        .collect();
    let m = load(&format!(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/>{bodies}</worldbody></mujoco>"#
    ));
    let mut d = m.make_data();
    let fresh = d.memory();
    assert!(fresh.arrays > 8 * (m.nq + m.nv), "{fresh:?}");
    let mut last = fresh;
    for _ in 0..600 {
        mj_step(&m, &mut d).unwrap();
        let now = d.memory();
        let grows = now.active >= last.active
            && now.solver >= last.solver
            && now.collision >= last.collision
            && now.arrays == last.arrays;
        assert!(grows, "{last:?} to {now:?}");
        last = now;
    }
    assert!(d.ncon > 40, "only {} contacts", d.ncon);
    assert!(last.active > fresh.active + 1000 && last.solver > fresh.solver + 1000, "{last:?}");
    // all bodies separated: no memory is released
    for (k, q) in d.qpos.chunks_mut(7).enumerate() {
        q[0] = 10.0 * (k + 1) as f64;
        q[2] = 10.0;
    }
    mj_step(&m, &mut d).unwrap();
    assert_eq!((d.ncon, d.memory().active), (0, last.active));
    assert!(d.memory().total() >= last.total());
}

/// `efc_AR` is `J M⁻¹ Jᵀ + R`, and zero where it is not stored.
#[test]
fn efc_ar_is_the_regularized_inverse_inertia() {
    for path in ["robots/humanoid", "robots/quadruped", "constraints/islands"] {
        let m = constrained(path);
        let mut d = driven(&m, 3);
        d.qpos.copy_from_slice(&m.qpos0);
        mj_forward(&m, &mut d).unwrap();
        assert!(d.nefc > 3, "{path}: only {} rows", d.nefc);
        mj_project_constraint(&m, &mut d);
        let (nv, nefc) = (m.nv, d.nefc);
        let mut jacobian = DMatrix::zeros(nefc, nv);
        for row in 0..nefc {
            let start = d.efc_J_rowadr[row] as usize;
            for k in start..start + d.efc_J_rownnz[row] as usize {
                jacobian[(row, d.efc_J_colind[k] as usize)] = d.efc_J[k];
            }
        }
        let inverse = inertia_matrix(&m, &d).try_inverse().unwrap();
        let mut expected = &jacobian * inverse * jacobian.transpose();
        let mut got = DMatrix::zeros(nefc, nefc);
        for row in 0..nefc {
            expected[(row, row)] += d.efc_R[row];
            let start = d.efc_AR_rowadr[row] as usize;
            for k in start..start + d.efc_AR_rownnz[row] as usize {
                got[(row, d.efc_AR_colind[k] as usize)] = d.efc_AR[k];
            }
        }
        assert_eq!(d.nA, d.efc_AR.len());
        close(path, got.as_slice(), expected.as_slice(), ALGORITHM);
    }
}
