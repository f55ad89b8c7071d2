//! The page of a comparison, Markdown: totals first, then a table of the models that differ.

use super::{Folder, ModelReport, Pairing, Report};
use crate::REFERENCE;
use std::fmt::Write;

/// Parts of a comparison: name, and whether they agree.
type Part = (&'static str, fn(&Pairing) -> bool);

const PARTS: [Part; 4] = [
    ("model", |p| p.model),
    ("contacts", |p| p.contacts),
    ("stages", |p| p.stages),
    ("trajectory", |p| p.trajectory),
];

/// Writes the page.
#[must_use]
pub fn page(report: &Report) -> String {
    let mut text = String::new();
    // ignored throughout: writing to a string cannot fail
    let _ = write_page(&mut text, report);
    text
}

fn write_page(text: &mut String, report: &Report) -> std::fmt::Result {
    let version = &report.version;
    writeln!(text, "# MuJoCo {REFERENCE}, MuJoCo {version} and this engine\n")?;
    writeln!(
        text,
        "Written by `cargo xtask versions PATH… -o FILE` with {} random states and {} steps of each \
         model. Both releases start from the same states. 3.8.0 is the reference of this engine; \
         differences from {version} are reported only, without the larger sample of perturbed runs, so \
         that rounding can be the cause of some. [`conformance.md`](conformance.md) describes \
         what is compared.\n",
        report.states, report.steps
    )?;
    totals(text, report)?;
    if !report.skipped.is_empty() {
        let names: Vec<String> = report.skipped.iter().map(|name| format!("`{name}`")).collect();
        writeln!(
            text,
            "Not compared, because {version} does not have them or has another default: {}.\n",
            names.join(", ")
        )?;
    }
    for folder in &report.folders {
        section(text, report, folder)?;
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    Ok(())
}

/// Names of the three engines and of their pairings.
fn pairings(report: &Report) -> [String; 3] {
    let version = &report.version;
    [format!("{REFERENCE} – ours"), format!("{version} – ours"), format!("{REFERENCE} – {version}")]
}

fn totals(text: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(text, "## Totals\n")?;
    writeln!(text, "| folder | files | {REFERENCE} loads | {} loads | we load |", report.version)?;
    writeln!(text, "|---|---|---|---|---|")?;
    for folder in &report.folders {
        let loaded = |engine: usize| folder.models.iter().filter(|m| m.loads[engine]).count();
        let [one, two, ours] = [0, 1, 2].map(loaded);
        writeln!(text, "| {} | {} | {one} | {two} | {ours} |", folder.name, folder.models.len())?;
    }
    writeln!(text, "\n| folder | pairing | both load | model | contacts | stages | trajectory |")?;
    writeln!(text, "|---|---|---|---|---|---|---|")?;
    for folder in &report.folders {
        for (k, name) in pairings(report).iter().enumerate() {
            let compared: Vec<&Pairing> =
                folder.models.iter().filter_map(|m| m.pairings[k].as_ref()).collect();
            write!(text, "| {} | {name} | {} |", folder.name, compared.len())?;
            for (_, agrees) in PARTS {
                write!(text, " {} |", compared.iter().filter(|p| agrees(p)).count())?;
            }
            writeln!(text)?;
        }
    }
    writeln!(text)
}

/// The models of one folder: a table of those that differ, and the names of the others.
fn section(text: &mut String, report: &Report, folder: &Folder) -> std::fmt::Result {
    writeln!(text, "## {}\n", folder.name)?;
    let (equal, different): (Vec<_>, Vec<_>) = folder.models.iter().partition(|m| is_equal(m));
    if !different.is_empty() {
        let [a, b, c] = pairings(report);
        writeln!(
            text,
            "A cell lists the parts that differ and the first array that does. The last column is \
             empty where no change of the release notes is known to explain the difference.\n"
        )?;
        writeln!(text, "| model | {a} | {b} | {c} | changes that can explain it |")?;
        writeln!(text, "|---|---|---|---|---|")?;
        for model in different {
            row(text, report, model)?;
        }
        writeln!(text)?;
    }
    list(text, "No difference", equal.iter().filter(|m| m.loads[0]))?;
    list(text, "Loaded by none", equal.iter().filter(|m| !m.loads[0]))
}

/// Whether the three engines agree: all load the model and nothing differs, or none loads it.
fn is_equal(model: &ModelReport) -> bool {
    let same = model.loads.iter().all(|loads| *loads == model.loads[0]);
    same && model.pairings.iter().flatten().all(Pairing::agrees)
}

fn list<'a>(
    text: &mut String,
    title: &str,
    models: impl Iterator<Item = &'a &'a ModelReport>,
) -> std::fmt::Result {
    let names: Vec<&str> = models.map(|model| without_extension(&model.name)).collect();
    if names.is_empty() {
        return Ok(());
    }
    writeln!(text, "{title} ({}): {}.\n", names.len(), names.join(", "))
}

fn without_extension(name: &str) -> &str {
    name.strip_suffix(".xml").unwrap_or(name)
}

fn row(text: &mut String, report: &Report, model: &ModelReport) -> std::fmt::Result {
    let engines = [REFERENCE, &report.version, "ours"];
    let missing = |pair: [usize; 2]| {
        let names = pair.into_iter().filter(|&e| !model.loads[e]).map(|e| engines[e]);
        format!("not loaded by {}", names.collect::<Vec<_>>().join(" and "))
    };
    write!(text, "| {} |", without_extension(&model.name))?;
    for (pairing, pair) in model.pairings.iter().zip([[0, 2], [1, 2], [0, 1]]) {
        let cell = pairing.as_ref().map_or_else(|| missing(pair), cell);
        write!(text, " {cell} |")?;
    }
    writeln!(text, " {} |", model.reasons.join("; "))
}

/// Parts that differ, and the first array that does.
fn cell(pairing: &Pairing) -> String {
    let parts: Vec<&str> = PARTS
        .iter()
        .filter(|(name, agrees)| {
            // contacts are one of the stages
            !agrees(pairing) && (*name != "stages" || pairing.contacts)
        })
        .map(|(name, _)| *name)
        .collect();
    match &pairing.first {
        _ if parts.is_empty() => "equal".to_owned(),
        Some(first) => format!("{}: `{first}`", parts.join(", ")),
        None => parts.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::versions::{Folder, ModelReport, Pairing, Report};

    fn equal() -> Option<Pairing> {
        Some(Pairing { model: true, contacts: true, stages: true, trajectory: true, first: None })
    }

    fn report() -> Report {
        let model = |name: &str, loads, pairings, reasons: &[&str]| ModelReport {
            name: name.into(),
            loads,
            pairings,
            reasons: reasons.iter().map(ToString::to_string).collect(),
        };
        let contacts = Some(Pairing {
            model: true,
            first: Some("contact.dist of Box – Box".into()),
            ..Pairing::default()
        });
        let stages =
            Some(Pairing { stages: false, first: Some("ten_length".into()), ..equal().unwrap() });
        Report {
            version: "4.0.1".into(),
            states: 2,
            steps: 50,
            folders: vec![Folder {
                name: "models".into(),
                models: vec![
                    model(
                        "a/box.xml",
                        [true; 3],
                        [equal(), contacts.clone(), contacts],
                        &["boxes"],
                    ),
                    model("a/old.xml", [true, false, true], [equal(), None, None], &[]),
                    model("a/plain.xml", [true; 3], [equal(), equal(), equal()], &[]),
                    model("arm.urdf", [true; 3], [equal(), stages.clone(), stages], &["x", "y"]),
                    model("part.xml", [false; 3], [None, None, None], &[]),
                ],
            }],
            skipped: ["out/qM".to_owned()].into(),
        }
    }

    #[test]
    fn totals_precede_the_tables() {
        let page = page(&report());
        let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no `{text}` in\n{page}"));
        assert!(at("## Totals") < at("| models | 5 | 4 | 3 | 4 |"));
        assert!(at("| models | 3.8.0 – ours | 4 | 4 | 4 | 4 | 4 |") < at("## models"));
        assert!(at("| models | 4.0.1 – ours | 3 | 3 | 2 | 1 | 2 |") < at("## models"));
        assert!(at("| models | 3.8.0 – 4.0.1 | 3 | 3 | 2 | 1 | 2 |") < at("## models"));
        assert!(at("another default: `out/qM`.") < at("## models"));
    }

    #[test]
    fn rows_name_the_parts_and_the_first_array_that_differ() {
        let page = page(&report());
        for line in [
            "| a/box | equal | contacts, trajectory: `contact.dist of Box – Box` | contacts, \
             trajectory: `contact.dist of Box – Box` | boxes |",
            "| a/old | equal | not loaded by 4.0.1 | not loaded by 4.0.1 |  |",
            "| arm.urdf | equal | stages: `ten_length` | stages: `ten_length` | x; y |",
            "No difference (1): a/plain.",
            "Loaded by none (1): part.",
        ] {
            assert!(page.contains(line), "no `{line}` in\n{page}");
        }
    }

    #[test]
    fn page_is_deterministic() {
        assert_eq!(page(&report()), page(&report()));
    }
}
