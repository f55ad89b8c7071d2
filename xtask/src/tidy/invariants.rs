//! Invariants of `docs/architecture.md` that a search of the source can check.

use super::{Violation, code_lines, has_word};

/// A rule: which files it applies to, what they must not contain, and the exceptions.
struct Rule {
    /// Path prefixes of the files that the rule applies to; empty for all files.
    applies_to: &'static [&'static str],
    /// Path prefixes or infixes of files that the rule does not apply to.
    except: &'static [&'static str],
    /// Forbidden words.
    words: &'static [&'static str],
    /// The invariant.
    invariant: &'static str,
    /// Exceptions: path prefix, word, reason.
    allowed: &'static [(&'static str, &'static str, &'static str)],
}

/// Stands for a `static` with interior mutability.
const MUTABLE_STATIC: &str = "mutable_static";
/// Types with interior mutability, by a part of their name.
const INTERIOR: [&str; 6] = ["Atomic", "Once", "Lazy", "Mutex", "RwLock", "Cell<"];

const RULES: &[Rule] = &[
    Rule {
        applies_to: &["sim/L0/constraint/src", "sim/L0/deformable/src", "sim/L0/simd/src"],
        except: &[],
        words: &["Model", "sim_core"],
        invariant: "the solvers and kernels below sim-core work on slices and do not know `Model`",
        allowed: &[],
    },
    Rule {
        applies_to: &[
            "sim/L0/types/src",
            "sim/L0/simd/src",
            "sim/L0/constraint/src",
            "sim/L0/deformable/src",
            "sim/L0/core/src",
        ],
        except: &[],
        words: &[
            "Instant",
            "SystemTime",
            "println!",
            "eprintln!",
            "print!",
            "Mutex",
            "RwLock",
            "Condvar",
            "mpsc",
        ],
        invariant: "a step does not print, read a clock or lock",
        allowed: &[(
            "sim/L0/core/src/profile.rs",
            "Instant",
            "per-stage timers, compiled only with feature `profile`",
        )],
    },
    Rule {
        applies_to: &[
            "sim/L0/types/src",
            "sim/L0/simd/src",
            "sim/L0/constraint/src",
            "sim/L0/deformable/src",
            "sim/L0/core/src",
        ],
        except: &[],
        words: &["rayon", "thread::spawn", "thread::scope", "std::thread"],
        invariant: "a step starts no threads without feature `parallel`",
        allowed: &[
            ("sim/L0/deformable/src/", "rayon", "`step_parallel`, feature `parallel`"),
            ("sim/L0/core/src/derivative/parallel.rs", "rayon", "columns of finite differences"),
            ("sim/L0/constraint/src/parallel.rs", "rayon", "large piles, feature `parallel`"),
            ("sim/L0/core/src/solve/", "rayon", "islands of large scenes, feature `parallel`"),
            (
                "sim/L0/core/src/solve/island.rs",
                "std::thread",
                "yields while another thread solves",
            ),
        ],
    },
    Rule {
        applies_to: &[],
        except: &[
            "sim/L0/mjcf/",
            "sim/L0/urdf/",
            "sim/L1/cli/",
            "sim/L1/python/",
            "sim/L1/viewer/",
            "sim/conformance/",
            "sim/bench/",
            "examples/",
            "xtask/",
            "fuzz/",
            "/tests/",
            "/examples/",
        ],
        words: &["std::fs", "File::open", "File::create", "quick_xml"],
        invariant: "only sim-mjcf and sim-urdf read files and parse text",
        allowed: &[],
    },
    Rule {
        applies_to: &[],
        except: &["fuzz/", "/tests/", "/tests.rs", "xtask/src/tidy/"],
        words: &["static mut", MUTABLE_STATIC, "thread_local!"],
        invariant: "no global state: it belongs to `Model` or `Data`",
        allowed: &[
            (
                "sim/L0/core/src/profile.rs",
                MUTABLE_STATIC,
                "time origin of the stage timers, feature `profile`",
            ),
            (
                "sim/L0/core/src/collision/",
                MUTABLE_STATIC,
                "counter of pair lists; only equality of its values matters, never an order",
            ),
            (
                "sim/L1/cli/src/interrupt.rs",
                MUTABLE_STATIC,
                "a signal handler can only reach global state",
            ),
            (
                "sim/L1/python/src/",
                MUTABLE_STATIC,
                "tables computed from constants, exception classes of the interpreter, the GPU device of the process",
            ),
            (
                "sim/L1/python/src/",
                "thread_local!",
                "the calls in progress on a thread, whose objects callbacks receive",
            ),
            (
                "sim/L1/viewer/src/window.rs",
                MUTABLE_STATIC,
                "winit allows one event loop per process",
            ),
        ],
    },
    Rule {
        applies_to: &[],
        except: &["mesh-gpu/", "xtask/src/tidy/"],
        words: &["request_device", "request_adapter"],
        invariant: "only mesh-gpu creates GPU devices",
        allowed: &[],
    },
];

pub(super) fn check(path: &str, text: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    for rule in RULES {
        let applies = rule.applies_to.is_empty()
            || rule.applies_to.iter().any(|prefix| path.starts_with(prefix));
        let excepted = |part: &&str| {
            path.starts_with(*part) || (part.starts_with('/') && path.contains(*part))
        };
        if !applies || rule.except.iter().any(excepted) {
            continue;
        }
        for (number, line) in code_lines(text) {
            let mut code = without_strings(line).replace("'static", "");
            if has_word(&code, "static") && INTERIOR.iter().any(|name| code.contains(name)) {
                code = format!("{code} {MUTABLE_STATIC}");
            }
            for word in rule.words.iter().filter(|word| has_word(&code, word)) {
                let allowed =
                    |(prefix, w, _): &(&str, &str, &str)| path.starts_with(prefix) && w == word;
                if !rule.allowed.iter().any(allowed) {
                    let message = format!("`{word}`: {}", rule.invariant);
                    violations.push(Violation::new(path, number, message));
                }
            }
        }
    }
    violations
}

/// A line without the content of its string literals and without a trailing comment.
fn without_strings(line: &str) -> String {
    let mut code = String::new();
    let (mut in_string, mut escaped) = (false, false);
    for c in line.chars() {
        if in_string {
            in_string = escaped || c != '"';
            escaped = c == '\\' && !escaped;
        } else if c == '"' {
            in_string = true;
        } else {
            code.push(c);
        }
        if code.ends_with("//") {
            break;
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::check;

    fn count(path: &str, text: &str) -> usize {
        check(path, text).len()
    }

    #[test]
    fn solvers_do_not_know_the_model() {
        assert_eq!(count("sim/L0/constraint/src/a.rs", "fn f(m: &Model) {}\n"), 1);
        assert_eq!(count("sim/L0/constraint/src/a.rs", "// a Model\nfn f(m: &Models) {}\n"), 0);
    }

    #[test]
    fn comments_strings_and_unit_tests_are_ignored() {
        let text =
            "fn f() { g(\"println!\"); } // println!\n#[cfg(test)]\nmod tests { println!() }\n";
        assert_eq!(count("sim/L0/core/src/a.rs", text), 0);
        assert_eq!(count("sim/L0/core/src/a.rs", "fn f() { println!(\"\"); }\n"), 1);
    }

    #[test]
    fn global_state_is_found() {
        assert_eq!(count("sim/L0/gpu/src/a.rs", "static mut X: u8 = 0;\n"), 1);
        assert_eq!(count("sim/L0/gpu/src/a.rs", "const X: &'static str = \"\";\n"), 0);
    }
}
