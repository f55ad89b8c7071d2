//! Import cycles in `sim-core`: the size of the largest strongly connected component of the graph whose
//! nodes are files, with an edge to each file that defines an item which a file imports or names by its
//! path. Re-exports are followed and are not edges themselves.

use super::{SourceFile, Violation, code_lines};
use std::collections::{BTreeMap, BTreeSet};

/// Folder of the crate.
const SOURCE: &str = "sim/L0/core/src/";
/// Largest component that is accepted. It may only be lowered.
const LARGEST: usize = 9;

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

/// The modules of the crate by path; the path of the crate root is empty.
struct Crate<'a> {
    modules: BTreeMap<String, &'a str>,
    /// For each module, the absolute path of each name that it re-exports.
    exports: BTreeMap<String, BTreeMap<String, String>>,
}

impl<'a> Crate<'a> {
    fn new(files: &'a [SourceFile]) -> Self {
        let path = |file: &SourceFile| {
            let path = file.path.strip_prefix(SOURCE)?.strip_suffix(".rs")?;
            let path = path.strip_suffix("/mod").unwrap_or(path);
            Some(if path == "lib" { String::new() } else { path.replace('/', "::") })
        };
        let modules = files.iter().filter_map(|file| Some((path(file)?, file.text.as_str())));
        let mut this = Self { modules: modules.collect(), exports: BTreeMap::new() };
        for (module, text) in &this.modules {
            let public = uses(text).into_iter().filter(|import| import.public);
            let exports = public.filter_map(|import| {
                let path = this.absolute(module, &import.path)?;
                let name = path.rsplit("::").next()?.to_owned();
                Some((name, path))
            });
            this.exports.insert(module.clone(), exports.collect());
        }
        this
    }

    /// Absolute path of a path written in `module`; `None` for a path of another crate.
    fn absolute(&self, module: &str, path: &str) -> Option<String> {
        let parent =
            |module: &str| module.rsplit_once("::").map_or("", |(parent, _)| parent).to_owned();
        if let Some(rest) = path.strip_prefix("crate::") {
            return Some(rest.to_owned());
        }
        let (mut base, mut rest) = (module.to_owned(), path);
        if let Some(tail) = rest.strip_prefix("self::") {
            rest = tail;
        } else if !rest.starts_with("super::") {
            let child = join(module, rest.split("::").next()?);
            return self.modules.contains_key(&child).then(|| join(module, rest));
        }
        while let Some(tail) = rest.strip_prefix("super::") {
            (base, rest) = (parent(&base), tail);
        }
        Some(join(&base, rest))
    }

    /// Module that defines the item of an absolute path, following re-exports.
    fn resolve(&self, path: &str, depth: usize) -> Option<&str> {
        let mut prefix = path;
        while !self.modules.contains_key(prefix) {
            prefix = prefix.rsplit_once("::").map_or("", |(parent, _)| parent);
        }
        let rest = path[prefix.len()..].trim_start_matches("::");
        let (name, tail) = rest.split_once("::").unwrap_or((rest, ""));
        match self.exports.get(prefix).and_then(|exports| exports.get(name)) {
            Some(origin) if depth < 8 => self.resolve(&join(origin, tail), depth + 1),
            _ => self.modules.get_key_value(prefix).map(|(module, _)| module.as_str()),
        }
    }
}

fn join(module: &str, path: &str) -> String {
    match (module, path) {
        ("", path) | (path, "") => path.to_owned(),
        _ => format!("{module}::{path}"),
    }
}

/// Modules of the crate and the modules whose items each imports, without the crate root.
fn graph(files: &[SourceFile]) -> Graph {
    let source = Crate::new(files);
    let mut graph = Graph::new();
    for (module, text) in source.modules.iter().filter(|(module, _)| !module.is_empty()) {
        let edges = graph.entry(module.clone()).or_default();
        let private = uses(text).into_iter().filter(|import| !import.public);
        let inline = inline_paths(text).into_iter();
        for path in private.map(|import| import.path).chain(inline) {
            let path = source.absolute(module, &path);
            let target = path.as_ref().and_then(|path| source.resolve(path, 0));
            edges.extend(target.filter(|t| !t.is_empty() && t != module).map(str::to_owned));
        }
    }
    graph
}

/// All paths `crate::…` outside imports and visibilities (`pub(in crate::…)`).
fn inline_paths(text: &str) -> Vec<String> {
    let code: Vec<&str> = code_lines(text).map(|(_, line)| line.trim()).collect();
    let code = code.join(" ");
    let path = |rest: &str| {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        rest[..end.unwrap_or(rest.len())].trim_end_matches(':').to_owned()
    };
    let outside = |&(at, _): &(usize, &str)| {
        !code[..at].ends_with("use ") && !code[..at].ends_with("pub(in ")
    };
    code.match_indices("crate::").filter(outside).map(|(at, _)| path(&code[at..])).collect()
}

/// A path in a `use` declaration.
#[derive(Debug, PartialEq)]
struct Import {
    path: String,
    /// Whether it is re-exported (`pub use`, `pub(crate) use`).
    public: bool,
}

/// All imported paths, with nested groups expanded.
fn uses(text: &str) -> Vec<Import> {
    let code: Vec<&str> = code_lines(text).map(|(_, line)| line.trim()).collect();
    let code = code.join(" ");
    let mut imports = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let preceding = code[..at].trim_end();
        let public = preceding.ends_with("pub") || preceding.ends_with(')');
        if public || preceding.is_empty() || preceding.ends_with([';', '}', '{', ']']) {
            let end = code[at..].find(';').map_or(code.len(), |i| at + i);
            let mut paths = Vec::new();
            expand("", &code[at + 4..end], &mut paths);
            imports.extend(paths.into_iter().map(|path| Import { path, public }));
        }
    }
    imports
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
        let imports = uses(text);
        let paths: Vec<&str> = imports.iter().map(|import| import.path.as_str()).collect();
        assert_eq!(paths, ["crate::a", "crate::a::b::c", "crate::a::b::d", "crate::a::e", "g::H"]);
        assert!(imports.iter().all(|import| import.public == (import.path == "g::H")));
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
            file("b/mod.rs", "mod e;\npub use e::E;\nuse crate::C;\n"),
            file("b/e.rs", "use crate::math::M;\n"),
            file("c.rs", "fn f(a: crate::a::A) {}\n"),
            file("d.rs", "use crate::a::A;\nuse crate::g::G;\n"),
            // imports a type that is defined in a file without imports of the cycle
            file("f.rs", "use super::b::E;\n"),
            file("g.rs", "pub(in crate::d) struct G;\n"),
        ];
        assert_eq!(components(&graph(&files)), [["a", "b", "c"]]);
    }
}
