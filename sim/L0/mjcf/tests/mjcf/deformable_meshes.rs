//! Text mesh formats of deformable bodies: strict OBJ, TetGen and Gmsh.

use proptest::prelude::*;
use sim_mjcf::asset::AssetError;
use sim_mjcf::asset::decode::{decode_gmsh, decode_obj_surface, decode_tetgen};

#[track_caller]
fn fails(result: Result<impl std::fmt::Debug, AssetError>, expected: &str) {
    let message = result.unwrap_err().to_string();
    assert!(message.contains(expected), "{message:?} does not contain {expected:?}");
}

#[test]
fn strict_obj_is_read() {
    let text = "# a square\no square\nv 0 0 0\nv 1 0 0\nv 1 1 0 1.0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1 -1//1\n";
    let mesh = decode_obj_surface(text.as_bytes()).unwrap();
    mesh.check().unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
}

const NODE: &str = "# corners\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";

#[test]
fn tetgen_is_read() {
    let mesh = decode_tetgen(NODE, "1 4 0\n1 1 2 3 4\n").unwrap();
    mesh.check().unwrap();
    assert_eq!(mesh.tetrahedra, [[0, 1, 2, 3]]);
    assert!((mesh.volume().unwrap() - 1.0 / 6.0).abs() < 1e-15);
    let from_zero = "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n";
    let same = decode_tetgen(from_zero, "1 4 0\n0 0 1 2 3\n").unwrap();
    assert_eq!(same, mesh);
}

const GMSH: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Comments\nwhatever\n$EndComments\n$Nodes\n5\n1 0 0 0\n7 1 0 0\n8 0 1 0\n9 0 0 1\n10 5 5 5\n$EndNodes\n$Elements\n2\n1 15 2 0 1 10\n2 4 2 0 1 1 7 8 9\n$EndElements\n";

#[test]
fn gmsh_is_read() {
    let mesh = decode_gmsh(GMSH).unwrap();
    mesh.check().unwrap();
    assert_eq!((mesh.vertices.len(), mesh.tetrahedra.clone()), (4, vec![[0, 1, 2, 3]]));
}

#[test]
fn syntax_errors_have_their_line() {
    let obj = |text: &str| decode_obj_surface(text.as_bytes());
    fails(obj("v 0 0\n"), "OBJ file: line 1: z is missing");
    fails(obj("v 0 0 0\nv 0 x 0\n"), "OBJ file: line 2: y is not a number: `x`");
    fails(obj("v 0 0 nan\n"), "line 1: z is not finite");
    fails(obj("v 0 0 0\nf 1 2 3\n"), "line 2: vertex 2 is not among the 1 given");
    fails(obj("v 0 0 0\nf 1 0 1\n"), "line 2: vertex 0 is not among");
    fails(obj("v 0 0 0\nf 1 1\n"), "line 2: a face needs 3 vertices, not 2");
    fails(obj("v 0 0 0\nf a/b c d\n"), "does not begin with the number");
    fails(
        obj("f 9223372036854775807 -9223372036854775808 1"),
        "line 1: vertex 9223372036854775807",
    );
    fails(obj("\n\ncurv 1 2\n"), "line 3: unknown statement `curv`");

    fails(decode_tetgen("", ""), "TetGen .node file: line 1: the text ends");
    fails(decode_tetgen("4 2 0 0\n", ""), "line 1: the dimension is 2");
    fails(decode_tetgen("2 3\n1 0 0 0\n", ""), "but vertex 2 of 2 should follow");
    fails(decode_tetgen("1 3\n5 0 0 0\n", ""), "vertex 5 should be number 0 or 1");
    fails(decode_tetgen("99999999999999 3\n", ""), "vertex 1 of 99999999999999");
    fails(decode_tetgen(NODE, "1 4 0\n1 1 2 3 9\n"), ".ele file: line 2: vertex 9 is not in");
    fails(decode_tetgen(NODE, "1 7 0\n"), "a tetrahedron has 7 nodes");

    fails(decode_gmsh("$Nodes\n"), "Gmsh file: line 1: `$Nodes` should be `$MeshFormat`");
    fails(decode_gmsh(&GMSH.replace("2.2 0", "4.1 0")), "line 2: version 4.1");
    fails(decode_gmsh(&GMSH.replace("7 8 9", "7 8 99")), "line 18: there is no node 99");
    fails(decode_gmsh(&GMSH.replace("8 0 1 0", "7 0 1 0")), "line 11: there is a node 7");
    fails(decode_gmsh("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n"), "node 1 of 1");
}

#[test]
fn strict_obj_counts_crlf_as_one_line_and_reads_all_groups() {
    fails(decode_obj_surface(b"v 0 0 0\r\nv 0 0\r\n"), "line 2: z is missing");
    let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\no a\nf 1 2 3\no b\nv 1 1 0\nf 2 4 3 # second\n";
    let mesh = decode_obj_surface(text).unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2], [1, 3, 2]]);
    // double precision
    assert_eq!(decode_obj_surface(b"v 0.1 0 0").unwrap().vertices[0].x, 0.1);
}

/// Text of keywords and numbers of the formats.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("v".to_owned()),
        Just("f".to_owned()),
        Just("\n".to_owned()),
        Just("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n".to_owned()),
        Just("$Nodes\n".to_owned()),
        Just("\n$EndNodes\n".to_owned()),
        Just("$Elements\n".to_owned()),
        Just("\n$EndElements\n".to_owned()),
        Just("#".to_owned()),
        Just("1/2/3".to_owned()),
        (-3i64..6).prop_map(|n| n.to_string()),
        any::<i64>().prop_map(|n| n.to_string()),
        any::<f64>().prop_map(|x| x.to_string()),
        "\\PC{0,4}",
    ];
    prop::collection::vec(word, 0..40).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn any_text_is_a_mesh_or_an_error(a in text(), b in text()) {
        let _ = decode_obj_surface(a.as_bytes()).map(|mesh| mesh.check());
        let _ = decode_gmsh(&a).map(|mesh| mesh.check());
        let _ = decode_tetgen(&a, &b).map(|mesh| mesh.check());
    }
}
