//! Assembly of kernels from WGSL templates.
//!
//! Templates are the files of `wgsl/` with four kinds of directives, each on a line of its own:
//!
//! * `#import name [DEFINE…]` inserts a file or a generated source; the defines are set inside it.
//! * `#ifdef NAME`, `#ifndef NAME`, `#else`, `#endif` select lines. Every name has to be known.
//!
//! The crate `naga_oil` offers similar directives, but composes modules that compile one by one and import each other
//! without cycles; here the stages of one kernel share state and call each other, and conditional inclusion of source
//! lines is enough.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// An inconsistency in the templates of a kernel: a bug of this crate, not of the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}.wgsl:{line}: {message}")]
pub(crate) struct ShaderError {
    file: String,
    line: usize,
    message: String,
}

impl ShaderError {
    pub(crate) fn new(file: &str, line: usize, message: impl Into<String>) -> Self {
        Self { file: file.into(), line, message: message.into() }
    }
}

macro_rules! files {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!("wgsl/", $name, ".wgsl"))),)*] };
}

/// All template files by name.
const FILES: &[(&str, &str)] = files! {
    "kernel" "forward" "kinematics" "smooth" "actuation" "constraint" "constraint_equality" "solver"
    "solver_cold_start" "linesearch" "linear_solve" "linear_solve_memory" "linear_solve_coupled" "cone_hessian"
    "sleep" "history" "noslip" "contact_order" "adhesion" "integrate" "integrate_free_body" "integrate_rk4" "tendon" "tendon_spatial" "fluid" "fluid_derivative" "rne_derivative" "activation" "actuation_muscle" "actuation_dcmotor" "sensor" "sensor_ray" "sensor_ray_surface" "sensor_contact" "sensor_tactile" "sensor_distance" "observation"
    "collision" "collision_motion_bound" "collision_plane" "collision_plane_mesh" "collision_capsule"
    "collision_sphere_box" "collision_box_box" "collision_hull" "collision_separating_axis" "collision_support" "collision_hfield" "collision_no_hfield"
    "collision_hfield_sphere"
    "collision_gjk" "collision_epa" "collision_convex" "collision_multicontact" "collision_sdf" "signed_distance"
    "collision_pair" "collision_functions" "collision_deferred" "suspended_list" "narrow_phase"
    "shared/barriers" "shared/columns" "shared/constants" "shared/lanes_multi_subgroup" "shared/lanes_portable"
    "shared/lanes_subgroup" "shared/math" "shared/math_f32" "shared/math_f64" "shared/matrices_storage" "shared/scratch_index"
    "shared/matrices_workgroup" "shared/memory" "shared/rare_arrays" "shared/scratch_layout" "shared/body_inertia" "shared/geom_axes" "shared/subgroup_scan" "shared/suspended" "shared/tree_groups"
    "body_poses" "render/objects" "render/camera" "render/intersect" "render/mesh" "render/texture" "render/shade"
};

/// Nested imports beyond this depth are taken for a cycle.
const MAX_DEPTH: usize = 8;

/// Names that templates may test, and whether each is defined.
#[derive(Clone, Debug, Default)]
pub(crate) struct Defines(BTreeMap<&'static str, bool>);

impl Defines {
    /// Makes a name known.
    pub(crate) fn set(&mut self, name: &'static str, defined: bool) {
        self.0.insert(name, defined);
    }
}

/// Sources that are generated for a kernel, by the names under which templates import them.
pub(crate) type Generated<'a> = [(&'a str, &'a str)];

/// Names under which sources of the user are imported; their constants are not checked here.
pub(crate) const TASK: &str = "task";
pub(crate) const CONTROL_CALLBACK: &str = "control_callback";
pub(crate) const PASSIVE_CALLBACK: &str = "passive_callback";
const USER_SOURCES: [&str; 3] = [TASK, CONTROL_CALLBACK, PASSIVE_CALLBACK];

/// Expands a template.
///
/// # Errors
///
/// The file and line of an unknown import or define, of unbalanced conditionals, or of a constant that nothing
/// declares.
pub(crate) fn assemble(
    root: &str,
    generated: &Generated<'_>,
    defines: &Defines,
) -> Result<String, ShaderError> {
    let lookup = |name: &str| {
        let all = generated.iter().chain(FILES);
        all.copied().find(|(known, _)| *known == name).map(|(_, source)| source)
    };
    expand(root, &lookup, defines)
}

fn expand<'a>(
    root: &'a str,
    lookup: &dyn Fn(&str) -> Option<&'a str>,
    defines: &Defines,
) -> Result<String, ShaderError> {
    let source = lookup(root)
        .ok_or_else(|| ShaderError::new(root, 1, format!("unknown import `{root}`")))?;
    let mut expansion = Expansion { lookup, lines: Vec::new() };
    expansion.file(root, source, defines, 0)?;
    check_constants(&expansion.lines)?;
    let mut out = String::new();
    for line in &expansion.lines {
        out.push_str(line.source);
        out.push('\n');
    }
    Ok(out)
}

/// A line of the result and where it comes from.
struct Line<'a> {
    file: &'a str,
    number: usize,
    source: &'a str,
}

struct Expansion<'a, 'l> {
    lookup: &'l dyn Fn(&str) -> Option<&'a str>,
    lines: Vec<Line<'a>>,
}

/// An open `#ifdef` or `#ifndef`.
struct Conditional {
    line: usize,
    taken: bool,
    /// Whether the lines around it are selected.
    outer: bool,
    has_else: bool,
}

impl<'a> Expansion<'a, '_> {
    fn file(
        &mut self,
        file: &'a str,
        source: &'a str,
        defines: &Defines,
        depth: usize,
    ) -> Result<(), ShaderError> {
        let mut open: Vec<Conditional> = Vec::new();
        for (number, line) in (1..).zip(source.lines()) {
            let error = |message: String| ShaderError::new(file, number, message);
            let selected = open.last().is_none_or(|c| c.outer && c.taken);
            let Some(directive) = line.trim_start().strip_prefix('#') else {
                if selected {
                    self.lines.push(Line { file, number, source: line });
                }
                continue;
            };
            let words: Vec<&'a str> = directive.split_whitespace().collect();
            match words[..] {
                ["import", name, ref extra @ ..] if selected => {
                    let source = (self.lookup)(name)
                        .ok_or_else(|| error(format!("unknown import `{name}`")))?;
                    if depth == MAX_DEPTH {
                        return Err(error(format!("imports of `{name}` form a cycle")));
                    }
                    let mut inner = defines.clone();
                    for name in extra {
                        let known = inner.0.get_mut::<str>(name);
                        *known.ok_or_else(|| error(format!("unknown define `{name}`")))? = true;
                    }
                    self.file(name, source, &inner, depth + 1)?;
                }
                ["import", _, ..] => {}
                [kind @ ("ifdef" | "ifndef"), name] => {
                    let known = defines.0.get::<str>(name);
                    let defined =
                        *known.ok_or_else(|| error(format!("unknown define `{name}`")))?;
                    let taken = defined == (kind == "ifdef");
                    open.push(Conditional {
                        line: number,
                        taken,
                        outer: selected,
                        has_else: false,
                    });
                }
                ["else"] => match open.last_mut() {
                    Some(c) if !c.has_else => (c.taken, c.has_else) = (!c.taken, true),
                    _ => return Err(error("`#else` without `#ifdef`".into())),
                },
                ["endif"] => {
                    open.pop().ok_or_else(|| error("`#endif` without `#ifdef`".into()))?;
                }
                _ => return Err(error(format!("unknown directive `{}`", line.trim()))),
            }
        }
        match open.last() {
            Some(c) => Err(ShaderError::new(file, c.line, "conditional without `#endif`")),
            None => Ok(()),
        }
    }
}

/// Checks that everything written like a constant is declared.
fn check_constants(lines: &[Line<'_>]) -> Result<(), ShaderError> {
    let code = |line: &Line<'_>| line.source.split("//").next().unwrap_or("").to_string();
    let mut declared = BTreeSet::new();
    for line in lines {
        let code = code(line);
        let words: Vec<&str> = identifiers(&code).collect();
        for pair in words.windows(2) {
            if matches!(pair[0], "const" | "fn" | "alias" | "struct" | "private") {
                declared.insert(pair[1].to_string());
            }
        }
    }
    for line in lines.iter().filter(|line| !USER_SOURCES.contains(&line.file)) {
        for name in identifiers(&code(line)).filter(|name| is_constant(name)) {
            if !declared.contains(name) {
                let message = format!("constant `{name}` is not declared");
                return Err(ShaderError::new(line.file, line.number, message));
            }
        }
    }
    Ok(())
}

fn identifiers(code: &str) -> impl Iterator<Item = &str> {
    let words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

/// Names of constants have capitals only, and at least two characters.
fn is_constant(name: &str) -> bool {
    let capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(capital)
}

/// Writes generated source line by line.
#[derive(Debug, Default)]
pub(crate) struct Emitter {
    source: String,
    indent: usize,
}

impl Emitter {
    /// A line.
    pub(crate) fn line(&mut self, source: std::fmt::Arguments<'_>) {
        // writing to a string cannot fail
        let _ = writeln!(self.source, "{:1$}{source}", "", 4 * self.indent);
    }

    /// A directive, which must not be indented.
    pub(crate) fn import(&mut self, name: &str) {
        let _ = writeln!(self.source, "#import {name}");
    }

    /// Directives around lines that are selected by a define, and others.
    pub(crate) fn ifdef(&mut self, name: &str) {
        let _ = writeln!(self.source, "#ifdef {name}");
    }

    pub(crate) fn otherwise(&mut self) {
        self.source.push_str("#else\n");
    }

    pub(crate) fn endif(&mut self) {
        self.source.push_str("#endif\n");
    }

    /// A line that opens a block.
    pub(crate) fn open(&mut self, source: std::fmt::Arguments<'_>) {
        self.line(format_args!("{source} {{"));
        self.indent += 1;
    }

    /// The end of a block.
    pub(crate) fn close(&mut self) {
        self.indent = self.indent.saturating_sub(1);
        self.line(format_args!("}}"));
    }

    /// What was written.
    pub(crate) fn finish(self) -> String {
        self.source
    }
}

/// Writes a formatted line, `emit!(out, "…")`, or opens a block, `emit!(out, open "…")`.
macro_rules! emit {
    ($out:expr, open $($source:tt)*) => { $out.open(format_args!($($source)*)) };
    ($out:expr, $($source:tt)*) => { $out.line(format_args!($($source)*)) };
}
pub(crate) use emit;

#[cfg(test)]
mod tests {
    use super::{Defines, expand};

    fn preprocess(files: &[(&'static str, &'static str)]) -> Result<String, String> {
        let mut defines = Defines::default();
        defines.set("YES", true);
        defines.set("NO", false);
        let lookup =
            |name: &str| files.iter().find(|(known, _)| *known == name).map(|(_, source)| *source);
        expand("root", &lookup, &defines).map_err(|error| error.to_string())
    }

    fn error(source: &'static str) -> String {
        preprocess(&[("root", source)]).expect_err("an error")
    }

    #[test]
    fn conditionals_select_lines() {
        let source = "a\n#ifdef YES\nb\n#ifdef NO\nc\n#else\nd\n#endif\n#else\ne\n#endif\n#ifndef NO\nf\n#endif\n";
        assert_eq!(preprocess(&[("root", source)]), Ok("a\nb\nd\nf\n".into()));
    }

    #[test]
    fn imports_are_inserted_where_they_are_selected() {
        let root = "#import part\n#ifdef NO\n#import missing\n#endif\n  #import part NO\n";
        let part = "#ifdef NO\nwith\n#else\nwithout\n#endif\n";
        let result = preprocess(&[("root", root), ("part", part)]);
        assert_eq!(result, Ok("without\nwith\n".into()));
    }

    #[test]
    fn errors_name_file_and_line() {
        assert_eq!(error("\n#import missing\n"), "root.wgsl:2: unknown import `missing`");
        assert_eq!(error("#ifdef MAYBE\n#endif\n"), "root.wgsl:1: unknown define `MAYBE`");
        assert_eq!(error("#import root MAYBE\n"), "root.wgsl:1: unknown define `MAYBE`");
        assert_eq!(error("a\n#endif\n"), "root.wgsl:2: `#endif` without `#ifdef`");
        assert_eq!(error("#else\n"), "root.wgsl:1: `#else` without `#ifdef`");
        assert_eq!(error("a\n#ifdef NO\nb\n"), "root.wgsl:2: conditional without `#endif`");
        assert_eq!(error("#define YES\n"), "root.wgsl:1: unknown directive `#define YES`");
        assert_eq!(error("#import root\n"), "root.wgsl:1: imports of `root` form a cycle");
    }

    #[test]
    fn an_error_in_an_import_names_the_imported_file() {
        let result = preprocess(&[("root", "#import part\n"), ("part", "\n\n#endif\n")]);
        assert_eq!(result, Err("part.wgsl:3: `#endif` without `#ifdef`".into()));
    }

    #[test]
    fn an_undeclared_constant_is_an_error() {
        let root = "const NV: u32 = 3u;\nfn M4() -> u32 { return NV; } // NOT_CODE\n#import part\n";
        let good = preprocess(&[("root", root), ("part", "let x = NV + M4();\n")]);
        assert!(good.is_ok(), "{good:?}");
        let bad = preprocess(&[("root", root), ("part", "\nlet x = NVV;\n")]);
        assert_eq!(bad, Err("part.wgsl:2: constant `NVV` is not declared".into()));
    }
}
