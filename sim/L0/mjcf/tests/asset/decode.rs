//! Decoding of valid mesh files.

use crate::make::{box_mesh, msh, stl};
use proptest::prelude::*;
use sim_mjcf::asset::{MeshFormat, MeshSource, decode_mesh};

#[test]
fn binary_stl_vertices_are_merged() {
    let source = box_mesh([1.0, 2.0, 3.0]);
    let mesh = decode_mesh(MeshFormat::Stl, &stl(&source)).expect("valid");
    assert_eq!(mesh.vert.len(), 8 * 3);
    assert_eq!(mesh.face.len(), source.face.len());
    // Corner by corner the same points.
    for (&a, &b) in mesh.face.iter().zip(&source.face) {
        let (a, b) = (3 * a as usize, 3 * b as usize);
        assert_eq!(mesh.vert[a..a + 3], source.vert[b..b + 3]);
    }
}

#[test]
fn ascii_stl_is_decoded() {
    let mut text = String::from("solid tetrahedron\n");
    let corners = ["0 0 0", "1 0 0", "0 1 0", "0 0 1e0"];
    for face in [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]] {
        text += "facet normal 0 0 0\n outer loop\n";
        for v in face {
            text += &format!("  vertex {}\n", corners[v]);
        }
        text += " endloop\nendfacet\n";
    }
    let mesh = decode_mesh(MeshFormat::Stl, text.as_bytes()).expect("valid");
    assert_eq!((mesh.vert.len(), mesh.face.len()), (12, 12));
}

#[test]
fn obj_polygons_negative_indices_and_groups_are_decoded() {
    let text = "# a comment\n\
        v 0 0 0\nv 1 0 0\r\nv 1 1 0 0.5 0.5 0.5\nv 0 1 0\n v 0.5 0.5 -1.5e0\n\
        vt 0 0.25\nvt 1 1\nvn 0 0 1\n\
        o first\nf 1/1/1 2/2/1 3/1/1 4/2/1\nf -5//-1 -1//-1 -4//-1\ns off\nusemtl x\n\
        g second\nf 1 2 5\n";
    let mesh = decode_mesh(MeshFormat::Obj, text.as_bytes()).expect("valid");
    assert_eq!(mesh.vert.len(), 15);
    assert_eq!(mesh.vert[14], -1.5);
    assert_eq!(mesh.face, [0, 1, 2, 0, 2, 3, 0, 4, 1]);
    assert_eq!(mesh.facetexcoord, [0, 1, 0, 0, 0, 1, -1, -1, -1]);
    assert_eq!(mesh.facenormal, [0; 9]);
    assert_eq!(mesh.texcoord, [0.0, 0.75, 1.0, 0.0]);
}

#[test]
fn concave_polygon_is_triangulated() {
    let text = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5 6\n";
    let mesh = decode_mesh(MeshFormat::Obj, text.as_bytes()).expect("valid");
    let point = |v: i32| {
        let v = 3 * v as usize;
        [mesh.vert[v], mesh.vert[v + 1]]
    };
    let mut area = 0.0;
    for t in mesh.face.chunks(3) {
        let [a, b, c] = [point(t[0]), point(t[1]), point(t[2])];
        let twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        assert!(twice >= 0.0, "a triangle outside of the polygon");
        area += twice / 2.0;
    }
    assert_eq!((mesh.face.len(), area), (12, 3.0));
}

#[test]
fn file_and_inline_data_cannot_be_combined() {
    let file = decode_mesh(MeshFormat::Stl, &stl(&box_mesh([1.0; 3]))).expect("valid");
    let inline = MeshSource { texcoord: vec![0.0; 16], ..MeshSource::default() };
    assert_eq!(file.clone().with_inline(&inline).expect("no clash").texcoord.len(), 16);
    let error = file.with_inline(&box_mesh([1.0; 3])).expect_err("two sets of faces");
    assert!(error.to_string().contains("face"), "{error}");
}

proptest! {
    #[test]
    fn msh_round_trip(
        nvert in 4_usize..20,
        nface in 0_usize..20,
        normals: bool,
        texcoords: bool,
        seed in any::<[f32; 8]>(),
    ) {
        let number = |i: usize| seed[i % 8] + i as f32;
        let mesh = MeshSource {
            vert: (0..3 * nvert).map(number).collect(),
            normal: (0..if normals { 3 * nvert } else { 0 }).map(number).collect(),
            texcoord: (0..if texcoords { 2 * nvert } else { 0 }).map(number).collect(),
            face: (0..3 * nface).map(|i| (i * 7 % nvert) as i32).collect(),
            ..MeshSource::default()
        };
        let read = decode_mesh(MeshFormat::Msh, &msh(&mesh)).expect("valid");
        let bits = |v: &[f32]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&read.vert), bits(&mesh.vert));
        prop_assert_eq!(bits(&read.normal), bits(&mesh.normal));
        prop_assert_eq!(bits(&read.texcoord), bits(&mesh.texcoord));
        prop_assert_eq!(read.face, mesh.face);
    }

    #[test]
    fn stl_round_trip(numbers in prop::collection::vec(-100_i8..100, 9..90)) {
        let count = numbers.len() / 9;
        let source = MeshSource {
            vert: numbers[..9 * count].iter().map(|&x| f32::from(x) / 8.0).collect(),
            face: (0..3 * count as i32).collect(),
            ..MeshSource::default()
        };
        let read = decode_mesh(MeshFormat::Stl, &stl(&source)).expect("valid");
        let flat: Vec<f32> =
            read.face.iter().flat_map(|&v| read.vert[3 * v as usize..][..3].to_vec()).collect();
        prop_assert_eq!(&flat, &source.vert);
        // No vertex twice.
        let mut vertices: Vec<_> = read.vert.chunks(3).map(|v| [v[0], v[1], v[2]].map(f32::to_bits)).collect();
        let all = vertices.len();
        vertices.sort_unstable();
        vertices.dedup();
        prop_assert_eq!(vertices.len(), all);
    }
}
