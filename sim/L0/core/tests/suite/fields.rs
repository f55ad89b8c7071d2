//! The field tables: unique names, descriptions, shapes and types of the arrays.

use crate::models::{driven, model, steps};
use sim_core::field::{FieldInfo, FieldView};
use sim_core::{Data, Model, ModelSizes, Stage};
use std::collections::{BTreeMap, BTreeSet};

/// Checks name, description, shape and stage of every row.
fn check_rows(rows: &[FieldInfo]) {
    let mut names = BTreeSet::new();
    for row in rows {
        assert!(names.insert(row.name), "{} is declared twice", row.name);
        assert!(row.doc.len() > 10, "{} has no description", row.name);
        assert!(!row.shape.is_empty(), "{} has no shape", row.name);
        assert!(!row.stage.function().is_empty());
    }
}

#[test]
fn every_row_has_a_unique_name_a_description_and_a_shape() {
    check_rows(Data::FIELDS);
    check_rows(Model::FIELDS);
    assert!(Data::FIELDS.iter().all(|row| row.stage != Stage::Compile));
    assert!(Model::FIELDS.iter().all(|row| row.stage == Stage::Compile));
}

/// Sizes by name.
fn sizes(m: &Model) -> BTreeMap<&'static str, usize> {
    let mut sizes = BTreeMap::new();
    m.sizes().visit(&mut |name, size| {
        sizes.insert(name, size);
    });
    sizes
}

/// Number of elements given by a row's shape; `None` if a size is unknown.
fn expected_len(row: &FieldInfo, sizes: &BTreeMap<&str, usize>) -> Option<usize> {
    let factor = |f: &&str| f.parse().ok().or_else(|| sizes.get(*f).copied());
    row.shape.iter().map(factor).product()
}

fn arrays_have_the_declared_shapes(m: &Model) {
    let mut sizes = sizes(m);
    m.visit(&mut |row, view| {
        assert_eq!(Some(view.len()), expected_len(row, &sizes), "{}", row.name);
    });
    let mut d = driven(m, 81);
    steps(m, &mut d, 2);
    // sizes that depend on contacts and constraints
    for (name, size) in [
        ("ncon", d.ncon),
        ("nefc", d.nefc),
        ("nJ", d.nJ),
        ("nA", d.nA),
        ("nisland", d.nisland),
        ("nidof", d.nidof),
    ] {
        sizes.insert(name, size);
    }
    d.visit(&mut |row, view| {
        let expected = expected_len(row, &sizes);
        assert!(expected.is_some(), "{}: shape {:?} is unknown", row.name, row.shape);
        // arrays of the constraint stages are empty without constraints
        assert!(view.is_empty() || Some(view.len()) == expected, "{}", row.name);
    });
}
on_every_model!(arrays_have_the_declared_shapes);

/// Whether a view has the variant of the row's element type.
fn has_declared_type(row: &FieldInfo, view: &FieldView<'_>) -> bool {
    match view {
        FieldView::F64(_) => row.element == "f64",
        FieldView::F32(_) => row.element == "f32",
        FieldView::I64(_) => row.element == "i64",
        FieldView::U8(_) => ["u8", "bool", "SameFrame"].contains(&row.element),
        FieldView::Contact(_) => row.element == "Contact",
        FieldView::I32(_) => row.element == "i32" || row.element.starts_with(char::is_uppercase),
    }
}

#[test]
fn data_fields_are_visited_in_table_order_and_found_by_name() {
    let m = model("robots/humanoid");
    let mut d = driven(&m, 82);
    steps(&m, &mut d, 2);
    let mut rows = Data::FIELDS.iter();
    d.visit(&mut |row, view| {
        assert_eq!(rows.next().map(|r| r.name), Some(row.name));
        assert!(has_declared_type(row, &view), "{} is not {}", row.name, row.element);
        assert_eq!(d.field(row.name), Some(view), "{}", row.name);
    });
    assert!(rows.next().is_none(), "some rows were not visited");
    assert_eq!(d.field("qpoz"), None);
}

#[test]
fn model_fields_are_visited_in_table_order_and_found_by_name() {
    let m = model("robots/humanoid");
    let mut rows = Model::FIELDS.iter();
    m.visit(&mut |row, view| {
        assert_eq!(rows.next().map(|r| r.name), Some(row.name));
        assert!(has_declared_type(row, &view), "{} is not {}", row.name, row.element);
        assert_eq!(m.field(row.name), Some(view), "{}", row.name);
    });
    assert!(rows.next().is_none(), "some rows were not visited");
    assert!(m.field("body_maas").is_none());
}

#[test]
fn f64_fields_of_data_are_writable_by_name() {
    let m = model("robots/humanoid");
    let mut d = m.make_data();
    let mut found = 0;
    for row in Data::FIELDS {
        let length = d.field(row.name).map(|view| view.len());
        let arena = expected_len(row, &sizes(&m)) != length;
        match d.field_mut(row.name) {
            Some(values) => {
                assert_eq!(row.element, "f64", "{}", row.name);
                assert_eq!(Some(values.len()), length, "{}", row.name);
                values.fill(7.0);
                found += 1;
                let same = matches!(d.field(row.name), Some(FieldView::F64(v)) if v.iter().all(|&x| x == 7.0));
                assert!(same, "{}", row.name);
            }
            None => assert!(row.element != "f64" || arena || length == Some(0), "{}", row.name),
        }
    }
    assert!(found > 50);
    assert_eq!(d.qpos, vec![7.0; m.nq]);
    assert!(d.field_mut("moment_colind").is_none() && d.field_mut("nothing").is_none());
}

#[test]
fn sizes_are_visited_by_name_and_allocate_a_model() {
    let m = model("robots/hand");
    let empty = Model::with_sizes(&m.sizes());
    assert_eq!(empty.sizes(), m.sizes());
    m.visit(&mut |row, view| {
        assert_eq!(empty.field(row.name).map(|v| v.len()), Some(view.len()), "{}", row.name);
    });
    let sizes = sizes(&m);
    assert_eq!(sizes["nq"], m.nq);
    assert_eq!(sizes["nkey"], m.nkey);
    let mut total = 0;
    ModelSizes::default().visit(&mut |_, size| total += size);
    assert_eq!(total, 0);
}
