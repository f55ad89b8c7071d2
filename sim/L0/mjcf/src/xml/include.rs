//! Parsing of a model with its includes.
//!
//! `<include file="…"/>` is replaced by the children of the included file's root. Each file may be
//! included once, which excludes cycles.

use super::dom::{Dom, NodeId};
use super::parse::parse;
use crate::Loader;
use crate::error::{ErrorKind, Location, Report};
use crate::vfs::{folder, join};

/// Maximum length of the path of an included file, in bytes.
const MAX_PATH: usize = 1 << 16;

/// Warning about text content, which MJCF does not use.
pub(crate) const IGNORED_TEXT: &str = "contains text, which is ignored";

/// Parses the main document and expands every include.
pub(crate) fn read(
    loader: &Loader,
    name: &str,
    directory: &str,
    text: String,
    report: &mut Report,
) -> Option<(Dom, NodeId)> {
    let mut dom = Dom::default();
    let root = parse(&mut dom, name.to_owned(), text, report)?;
    if dom.node(root).name == "include" {
        let location = dom.location(root);
        report.error(
            location,
            "include",
            None,
            ErrorKind::Invalid("cannot be the root element".into()),
        );
        return None;
    }

    // Directory of each source by file index; the first is that of the main file.
    let mut files = Files {
        loader,
        included: vec![loader.vfs().identity(name)],
        folders: vec![directory.to_owned()],
    };
    let mut stack = vec![root];
    while let Some(parent) = stack.pop() {
        let mut children = std::mem::take(&mut dom.nodes[parent.0].children);
        let mut i = 0;
        while i < children.len() {
            if dom.node(children[i]).name == "include" {
                let new = expand(&mut dom, children[i], &mut files, report)?;
                children.splice(i..=i, new);
            } else {
                stack.push(children[i]);
                i += 1;
            }
        }
        dom.nodes[parent.0].children = children;
    }
    report.is_ok().then_some((dom, root))
}

/// Files included so far.
struct Files<'a> {
    loader: &'a Loader,
    /// Identities of the included files.
    included: Vec<String>,
    folders: Vec<String>,
}

impl Files<'_> {
    /// Resolves `file` relative to the main file, then relative to the including file.
    fn find(&self, file: &str, including: usize) -> String {
        let main = join(&self.folders[0], file);
        if self.loader.vfs().contains(&main) { main } else { join(&self.folders[including], file) }
    }
}

/// The elements that replace an `include`; `None` if the file is malformed.
fn expand(
    dom: &mut Dom,
    include: NodeId,
    files: &mut Files<'_>,
    report: &mut Report,
) -> Option<Vec<NodeId>> {
    let mut fail = |location: Location, attribute: Option<&str>, kind: ErrorKind| {
        report.error(location, "include", attribute, kind);
    };
    let location = dom.location(include);
    if let Some(attr) = dom.node(include).attrs.iter().find(|a| a.name != "file") {
        let (name, place) = (attr.name.clone(), dom.attr_location(include, &attr.name));
        fail(place, Some(&name), ErrorKind::UnknownAttribute { suggestion: None });
    }
    if !dom.node(include).children.is_empty() {
        fail(location.clone(), None, ErrorKind::Invalid("cannot have children".into()));
    }
    let Some(file) = dom.attr(include, "file").map(ToOwned::to_owned) else {
        fail(location, Some("file"), ErrorKind::MissingAttribute);
        return Some(Vec::new());
    };
    let place = dom.attr_location(include, "file");
    if file.len() > MAX_PATH {
        let message =
            format!("the path has {} bytes, which exceeds the maximum of {MAX_PATH}", file.len());
        fail(place, Some("file"), ErrorKind::Invalid(message));
        return Some(Vec::new());
    }
    let path = files.find(&file, dom.node(include).file.0);
    let identity = files.loader.vfs().identity(&path);
    if files.included.contains(&identity) {
        let message =
            format!("`{file}` is already included in this model; a file can be included only once");
        fail(place, Some("file"), ErrorKind::Invalid(message));
        return Some(Vec::new());
    }
    let text = match files.loader.text(&path) {
        Ok(text) => text,
        Err(kind) => {
            fail(place, Some("file"), kind);
            return Some(Vec::new());
        }
    };
    files.included.push(identity);
    files.folders.push(folder(&path).to_owned());
    let root = parse(dom, path, text, report)?;
    if let Some(location) = dom.text_location(root) {
        report.warning(location, &dom.node(root).name, IGNORED_TEXT);
    }
    let children = std::mem::take(&mut dom.nodes[root.0].children);
    if children.is_empty() {
        let message = format!("`{file}` contains no elements");
        report.error(place, "include", Some("file"), ErrorKind::Invalid(message));
    }
    Some(children)
}
