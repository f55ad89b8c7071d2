//! Import cycles in `sim-core`: the size of the largest strongly connected component of the graph whose
//! nodes are files and whose edges are the paths `crate::…` in a file, imported or written inline.

use super::{SourceFile, Violation, code_lines};
use std::collections::{BTreeMap, BTreeSet};

/// Folder of the crate.
const SOURCE: &str = "sim/L0/core/src/";
/// Largest component that is accepted. It may only be lowered.
const LARGEST: usize = 7;

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let graph = graph(files);
    let largest = components(&graph).into_iter().max_by_key(Vec::len).unwrap_or_default();
    let names = largest.join(", ");
    let rule = match largest.len() {
        0 | 1 => return Vec::new(),
        n if n > LARGEST => format!("import cycle of {n} files, at most {LARGEST}: {names}"),
        n if n < LARGEST => format!("the largest import cycle has {n} files: lower `LARGEST`"),
        _ => return Vec::new(),
    };
    vec![Violation::new("xtask/src/tidy/cycles.rs", 1, rule)]
}

type Graph = BTreeMap<String, BTreeSet<String>>;

/// Modules of the crate and the modules that each imports.
fn graph(files: &[SourceFile]) -> Graph {
    let module = |path: &str| {
        let path = path.strip_prefix(SOURCE)?.strip_suffix(".rs")?;
        let path = path.strip_suffix("/mod").unwrap_or(path);
        Some(path.replace('/', "::")).filter(|name| name != "lib")
    };
    let modules: BTreeMap<String, &SourceFile> =
        files.iter().filter_map(|file| Some((module(&file.path)?, file))).collect();
    let root = files.iter().find(|file| file.path == format!("{SOURCE}lib.rs"));
    let exports = root.map_or_else(BTreeMap::new, |root| exports(&root.text));
    let mut graph = Graph::new();
    for (name, file) in &modules {
        let edges = graph.entry(name.clone()).or_default();
        for path in uses(&file.text).into_iter().chain(inline_paths(&file.text)) {
            let Some(path) = path.strip_prefix("crate::") else { continue };
            let path = exports.get(path).map_or(path, |origin| origin.as_str());
            let mut target = path;
            while !modules.contains_key(target) {
                match target.rsplit_once("::") {
                    Some((parent, _)) => target = parent,
                    None => break,
                }
            }
            if modules.contains_key(target) && target != name {
                edges.insert(target.to_owned());
            }
        }
    }
    graph
}

/// All paths `crate::…` in the code.
fn inline_paths(text: &str) -> Vec<String> {
    let code = |(_, line): (usize, &'_ str)| line.to_owned();
    let code: Vec<String> = code_lines(text).map(code).collect();
    let path = |rest: &str| {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        rest[..end.unwrap_or(rest.len())].trim_end_matches(':').to_owned()
    };
    let in_line = |line: &String| {
        let starts = line.match_indices("crate::").map(|(at, _)| path(&line[at..]));
        starts.collect::<Vec<_>>()
    };
    code.iter().flat_map(in_line).collect()
}

/// Names that the crate root re-exports, with their paths.
fn exports(text: &str) -> BTreeMap<String, String> {
    let mut exports = BTreeMap::new();
    for path in uses(text) {
        let path = path.strip_prefix("crate::").unwrap_or(&path).to_owned();
        if let Some((_, name)) = path.rsplit_once("::") {
            exports.insert(name.to_owned(), path.clone());
        }
    }
    exports
}

/// All imported paths, with nested groups expanded.
fn uses(text: &str) -> Vec<String> {
    let code: Vec<&str> = code_lines(text).map(|(_, line)| line.trim()).collect();
    let code = code.join(" ");
    let mut paths = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let preceding = code[..at].trim_end();
        if preceding.is_empty() || preceding.ends_with([';', '}', '{', ')', ']', 'b']) {
            let end = code[at..].find(';').map_or(code.len(), |i| at + i);
            expand("", &code[at + 4..end], &mut paths);
        }
    }
    paths
}

/// Expands `a::{b, c::{d}}` into paths.
fn expand(prefix: &str, tree: &str, paths: &mut Vec<String>) {
    let tree = tree.trim();
    let Some((head, group)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or(tree).trim();
        if !path.is_empty() {
            paths.push(format!("{prefix}{path}").trim_end_matches("::self").to_owned());
        }
        return;
    };
    let group = group.rsplit_once('}').map_or(group, |(inside, _)| inside);
    let (mut depth, mut start) = (0, 0);
    for (i, c) in group.char_indices().chain([(group.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(&format!("{prefix}{head}"), &group[start..i], paths);
                start = (i + 1).min(group.len());
            }
            _ => {}
        }
    }
}

/// Strongly connected components with more than one node: sets of nodes that reach each other.
fn components(graph: &Graph) -> Vec<Vec<String>> {
    let reachable = |from: &String| {
        let (mut seen, mut stack) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(node) = stack.pop() {
            for next in graph.get(&node).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    stack.push(next.clone());
                }
            }
        }
        seen
    };
    let reach: BTreeMap<&String, BTreeSet<String>> =
        graph.keys().map(|node| (node, reachable(node))).collect();
    let mut assigned = BTreeSet::new();
    let mut components = Vec::new();
    for node in graph.keys().filter(|node| reach[node].contains(*node)) {
        if !assigned.contains(node) {
            let mutual =
                |other: &&String| reach[node].contains(*other) && reach[other].contains(node);
            let component: Vec<String> = graph.keys().filter(mutual).cloned().collect();
            assigned.extend(component.iter().cloned());
            components.push(component);
        }
    }
    components
}

#[cfg(test)]
mod tests {
    use super::{SourceFile, components, graph, uses};

    #[test]
    fn groups_are_expanded() {
        let text = "use crate::a::{self, b::{c, d}, e as f};\npub use g::H;\n";
        assert_eq!(
            uses(text),
            ["crate::a", "crate::a::b::c", "crate::a::b::d", "crate::a::e", "g::H"]
        );
    }

    #[test]
    fn cycles_are_found() {
        let file = |path: &str, text: &str| SourceFile {
            path: format!("sim/L0/core/src/{path}"),
            text: text.to_owned(),
        };
        let files = [
            file("lib.rs", "pub use c::C;\n"),
            file("a.rs", "use crate::b::B;\n"),
            file("b/mod.rs", "use crate::C;\n"),
            file("c.rs", "use crate::a::A;\n"),
            file("d.rs", "use crate::a::A;\n"),
        ];
        assert_eq!(components(&graph(&files)), [["a", "b", "c"]]);
    }
}
