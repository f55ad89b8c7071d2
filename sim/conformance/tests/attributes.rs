//! Attributes of the MJCF schema that no model with a golden sets, as a table with reasons.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use sim_mjcf::schema::{Element, MUJOCO, Support};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

/// Attributes that no model sets: path of the element, attributes (`*` for all of the element and its children),
/// and the reason.
const NOT_SET: &[(&str, &str, &str)] = &[
    ("xpbd", "*", "an extension; MuJoCo rejects it"),
    ("compiler", "fuseinertia", "an extension; MuJoCo rejects it"),
    ("default/mesh", "collider", "an extension; MuJoCo rejects it"),
    ("asset/mesh", "collider", "an extension; MuJoCo rejects it"),
    ("asset/skin", "name", "the reader of `deformable/skin`; no golden yet"),
    ("asset/skin", "material", "the reader of `deformable/skin`; no golden yet"),
    ("asset/skin", "inflate", "the reader of `deformable/skin`; no golden yet"),
    ("asset/skin", "vertex", "the reader of `deformable/skin`; no golden yet"),
    ("asset/skin", "texcoord", "the reader of `deformable/skin`; no golden yet"),
    ("asset/skin", "face", "the reader of `deformable/skin`; no golden yet"),
    ("deformable/skin", "file", "compared live with files of dm_control; no golden yet"),
    ("worldbody/composite/joint", "solreffix", "copied to the elements of a cable; no golden yet"),
    ("worldbody/composite/joint", "solimpfix", "copied to the elements of a cable; no golden yet"),
    ("worldbody/composite/joint", "type", "copied to the elements of a cable; no golden yet"),
    ("worldbody/composite/joint", "axis", "copied to the elements of a cable; no golden yet"),
    ("worldbody/composite/joint", "limited", "copied to the elements of a cable; no golden yet"),
    ("worldbody/composite/joint", "margin", "copied to the elements of a cable; no golden yet"),
    (
        "worldbody/composite/joint",
        "solreflimit",
        "copied to the elements of a cable; no golden yet",
    ),
    (
        "worldbody/composite/joint",
        "solimplimit",
        "copied to the elements of a cable; no golden yet",
    ),
    (
        "worldbody/composite/joint",
        "solreffriction",
        "copied to the elements of a cable; no golden yet",
    ),
    (
        "worldbody/composite/joint",
        "solimpfriction",
        "copied to the elements of a cable; no golden yet",
    ),
    ("worldbody/composite/geom", "density", "copied to the elements of a cable; no golden yet"),
    ("worldbody/composite/geom", "priority", "copied to the elements of a cable; no golden yet"),
    ("worldbody/composite/geom", "solmix", "copied to the elements of a cable; no golden yet"),
    ("worldbody/composite/geom", "solref", "copied to the elements of a cable; no golden yet"),
    ("worldbody/composite/geom", "solimp", "copied to the elements of a cable; no golden yet"),
    ("worldbody/composite/geom", "gap", "copied to the elements of a cable; no golden yet"),
    ("worldbody/composite/site", "material", "copied to the elements of a cable; no golden yet"),
    ("deformable/flex", "nodecoord", "an extension; MuJoCo rejects it"),
    ("deformable/flex", "emptycell", "an extension; MuJoCo rejects it"),
    ("sensor/ballquat", "cutoff", "an error, because the reading is a quaternion"),
    ("sensor/framequat", "cutoff", "an error, because the reading is a quaternion"),
    ("sensor/framexaxis", "cutoff", "an error, because the reading is a unit vector"),
    ("sensor/frameyaxis", "cutoff", "an error, because the reading is a unit vector"),
    ("sensor/framezaxis", "cutoff", "an error, because the reading is a unit vector"),
];

/// An element of the schema; elements that several parents share, such as `body`, are one.
type Key = *const Element;

/// Supported elements by the shortest path to each.
fn elements() -> Vec<(String, &'static Element)> {
    let mut seen: BTreeSet<Key> = BTreeSet::from([&raw const MUJOCO]);
    let mut found = Vec::new();
    let mut queue = VecDeque::from([(String::new(), &MUJOCO)]);
    while let Some((path, element)) = queue.pop_front() {
        for child in element.children.iter().filter(|e| e.support == Support::Supported) {
            if seen.insert(&raw const **child) {
                let path = if path.is_empty() {
                    child.name.into()
                } else {
                    format!("{path}/{}", child.name)
                };
                queue.push_back((path, child));
            }
        }
        found.push((path, element));
    }
    found
}

/// Adds the attributes that a document sets, by element.
fn collect(text: &str, set: &mut BTreeMap<Key, BTreeSet<String>>) {
    let mut reader = Reader::from_str(text);
    // the schema rows of the open elements; `None` below an element without a row
    let mut open: Vec<Option<&'static Element>> = Vec::new();
    let mut add = |open: &[Option<&'static Element>], tag: &BytesStart<'_>| {
        let name = tag.name().as_ref().to_owned();
        let row = match open.last() {
            None => Some(&MUJOCO),
            Some(parent) => parent.and_then(|parent| parent.child(&name)),
        };
        let names = tag.attributes().flatten();
        let names = names.map(|a| a.key.as_ref().to_owned());
        if let Some(row) = row {
            set.entry(&raw const *row).or_default().extend(names);
        }
        row
    };
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error}")) {
            Event::Start(tag) => {
                let row = add(&open, &tag);
                open.push(row);
            }
            Event::Empty(tag) => {
                add(&open, &tag);
            }
            Event::End(_) => {
                open.pop();
            }
            Event::Eof => return,
            _ => {}
        }
    }
}

/// Every MJCF file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{error}"));
    let paths = entries.map(|entry| entry.unwrap_or_else(|error| panic!("{error}")).path());
    let nested = paths.map(|path| match path.extension() {
        _ if path.is_dir() => files(&path),
        Some(extension) if extension == "xml" => vec![path],
        _ => Vec::new(),
    });
    nested.flatten().collect()
}

/// Whether a row of the table covers an attribute.
fn matches(row: &(&str, &str, &str), path: &str, attribute: &str) -> bool {
    let below = path == row.0 || path.strip_prefix(row.0).is_some_and(|rest| rest.starts_with('/'));
    if row.1 == "*" { below } else { path == row.0 && attribute == row.1 }
}

#[test]
fn every_attribute_is_set_by_a_model_or_has_a_reason() {
    let mut set = BTreeMap::new();
    for file in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("models")) {
        collect(&fs::read_to_string(file).unwrap_or_else(|error| panic!("{error}")), &mut set);
    }
    let mut problems = Vec::new();
    let mut used = BTreeSet::new();
    for (path, element) in elements() {
        let attributes = element.attributes().filter(|a| a.support == Support::Supported);
        for attribute in attributes {
            let is_set =
                set.get(&(&raw const *element)).is_some_and(|s| s.contains(attribute.name));
            let row = NOT_SET.iter().position(|row| matches(row, &path, attribute.name));
            used.extend(row);
            match (is_set, row) {
                (false, None) => problems.push(format!("no model sets {path} {}", attribute.name)),
                (true, Some(_)) => {
                    problems
                        .push(format!("a model sets {path} {}: remove its row", attribute.name));
                }
                _ => {}
            }
        }
    }
    let stale = NOT_SET.iter().enumerate().filter(|(i, _)| !used.contains(i));
    problems.extend(stale.map(|(_, row)| format!("{} {} is not in the schema", row.0, row.1)));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
