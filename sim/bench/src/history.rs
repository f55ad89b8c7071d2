//! Ratios to MuJoCo of all recorded races, as a table: `sim-bench history`.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Ending of the names of files with the results of `cargo xtask bench race --vs-mujoco --json FILE`.
const ENDING: &str = "-race.json";

/// A Markdown table of the races recorded in a folder: a column for each file, named by what precedes `-race.json` (the
/// date or release), a row for each scene, and the geometric means.
///
/// # Errors
/// If a file cannot be read or has another structure.
pub fn table(folder: &Path) -> Result<String, String> {
    let message = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in folder.read_dir().map_err(message)? {
        let name = entry.map_err(message)?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(ENDING).map(str::to_owned));
    }
    names.sort();
    let mut races = Vec::new();
    for name in names {
        let path = folder.join(format!("{name}{ENDING}"));
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let ratios = ratios(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        races.push((name, ratios));
    }
    Ok(render(&races))
}

/// Ratio of each scene, by name without the group.
fn ratios(text: &str) -> Result<BTreeMap<String, f64>, String> {
    let rows: Vec<Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    rows.iter()
        .map(|row| {
            let scene = row["scene"].as_str().ok_or("a result has no scene")?;
            let ratio = row["ratio"].as_f64().ok_or_else(|| format!("{scene} has no ratio"))?;
            Ok((scene.rsplit('/').next().unwrap_or(scene).replace('_', " "), ratio))
        })
        .collect()
}

fn render(races: &[(String, BTreeMap<String, f64>)]) -> String {
    let mut scenes: Vec<&String> = races.iter().flat_map(|(_, ratios)| ratios.keys()).collect();
    scenes.sort();
    scenes.dedup();
    let mut table = "| scene |".to_owned();
    for (name, _) in races {
        let _ = write!(table, " {name} |");
    }
    let _ = writeln!(table, "\n|---|{}", "---|".repeat(races.len()));
    for scene in scenes {
        let _ = write!(table, "| {scene} |");
        for (_, ratios) in races {
            let ratio = ratios.get(scene).map_or(String::new(), |ratio| format!(" {ratio:.2}"));
            let _ = write!(table, "{ratio} |");
        }
        table.push('\n');
    }
    table += "| geometric mean |";
    for (_, ratios) in races {
        let logarithms: f64 = ratios.values().map(|ratio| ratio.ln()).sum();
        let _ = write!(table, " **{:.2}** |", (logarithms / ratios.len() as f64).exp());
    }
    table.push('\n');
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn races_are_columns_and_scenes_are_rows() {
        let old = r#"[{"scene": "race/a_b", "ratio": 2.0}, {"scene": "race/c", "ratio": 0.5}]"#;
        let new = r#"[{"scene": "race/c", "ratio": 1.255}]"#;
        let races = [("1", old), ("2", new)]
            .map(|(name, text)| (name.to_owned(), ratios(text).unwrap_or_default()));
        let expected = "| scene | 1 | 2 |\n|---|---|---|\n| a b | 2.00 | |\n| c | 0.50 | 1.25 |\n\
                        | geometric mean | **1.00** | **1.25** |\n";
        assert_eq!(render(&races), expected);
        assert!(ratios(r#"[{"scene": "c"}]"#).is_err());
    }

    #[test]
    fn documentation_has_the_recorded_races() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let table = table(&docs.join("performance")).unwrap_or_else(|error| panic!("{error}"));
        let page = std::fs::read_to_string(docs.join("performance.md"))
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(page.contains(&table), "put this table into docs/performance.md:\n{table}");
    }
}
