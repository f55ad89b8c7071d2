//! Laws of contact between boxes that overlap, at random poses.

use super::super::super::shape::Shape;
use super::super::super::touch::{Touch, Touches};
use super::{Boxes, Side, Zones, axis, box_box};
use crate::math::mat3::{self, Mat3};
use crate::math::quat;
use crate::math::vec3::{self, Vec3};
use sim_types::GeomType;

/// Numbers between 0 and 1.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn size(&mut self) -> Vec3 {
        [(); 3].map(|()| 0.05 + 0.45 * self.number())
    }

    fn turn(&mut self) -> Mat3 {
        quat::to_mat(quat::normalize([(); 4].map(|()| self.number() - 0.5)))
    }
}

/// Calls `check` with pairs of overlapping boxes, their overlap and their contacts.
fn overlapping_boxes(check: impl Fn(&Shape, &Shape, f64, &[Touch])) {
    let mut random = Random(1);
    for k in 0..20_000 {
        let reach = [0.1, 0.3, 0.6, 1.0][k % 4];
        let (mat1, mat2, pos2) = (random.turn(), random.turn(), random.size());
        let pos2 = pos2.map(|x| 4.0 * reach * (x - 0.275));
        let shape = |pos, mat, size| Shape {
            kind: GeomType::Box,
            pos,
            mat,
            size,
            rbound: 1.0,
            mesh: None,
            hfield: None,
        };
        let one = shape([0.0; 3], &mat1, random.size());
        let two = shape(pos2, &mat2, random.size());
        let boxes = Boxes {
            one: &one,
            two: &two,
            pos21: mat3::mul_transpose_vec(&mat1, pos2),
            pos12: mat3::mul_transpose_vec(&mat2, vec3::scale(pos2, -1.0)),
            rot: mat3::mul(&mat3::transpose(&mat1), &mat2),
        };
        let mut out = Touches::default();
        box_box(&one, &two, 0.0, &mut out);
        match axis::least_overlap(&boxes, 0.0) {
            Some((_, overlap)) => check(&one, &two, overlap, out.as_slice()),
            None => assert!(out.as_slice().is_empty()),
        }
    }
}

#[test]
fn boxes_that_overlap_touch() {
    overlapping_boxes(|_, _, _, touches| assert!(!touches.is_empty()));
}

#[test]
fn no_contact_is_deeper_than_the_overlap() {
    overlapping_boxes(|_, _, overlap, touches| {
        for touch in touches {
            assert!(touch.dist > -overlap * (1.0 + 1e-5) - 1e-12, "{touch:?} {overlap}");
        }
    });
}

#[test]
fn contacts_are_near_both_boxes() {
    overlapping_boxes(|one, two, _, touches| {
        for touch in touches {
            let sides = [one, two].map(|cuboid| Zones::of(cuboid, 0.0).side_of(touch.pos));
            let lost = sides[0] == Side::Outside && sides[1] != Side::Inside
                || sides[1] == Side::Outside && sides[0] != Side::Inside;
            assert!(!lost, "{touch:?}");
        }
    });
}
