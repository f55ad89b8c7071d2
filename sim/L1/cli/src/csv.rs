//! Reader of trajectory CSV files, as written by `sim run --out`.

use crate::Failure;
use crate::chart::Panel;
use std::path::Path;

/// Reads a CSV file whose first column is the time. Returns the time and one panel for each group of
/// columns with the same first word in their names.
pub(crate) fn read(path: &Path) -> Result<(Vec<f64>, Vec<Panel>), Failure> {
    let at = |line: usize, what: &str| format!("{}:{line}: {what}", path.display());
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').map(str::trim).collect();
    if names.len() < 2 {
        return Err(at(1, "the header needs a time column and at least one more column").into());
    }
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    for (k, line) in lines.enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split(',').map(str::trim).collect();
        if words.len() != names.len() {
            let what = format!("{} values for {} columns", words.len(), names.len());
            return Err(at(k + 2, &what).into());
        }
        for (column, word) in columns.iter_mut().zip(words) {
            let number =
                word.parse().map_err(|_| at(k + 2, &format!("`{word}` is not a number")))?;
            column.push(number);
        }
    }
    let mut columns = columns.into_iter();
    let time = columns.next().filter(|time| !time.is_empty());
    let time = time.ok_or_else(|| at(2, "the file has no rows"))?;
    let mut panels: Vec<Panel> = Vec::new();
    for (name, values) in names[1..].iter().zip(columns) {
        let (title, name) = name.split_once(' ').unwrap_or((name, name));
        let known = panels.iter().position(|panel| panel.title == title);
        let index = known.unwrap_or_else(|| {
            panels.push(Panel { title: title.to_owned(), curves: Vec::new() });
            panels.len() - 1
        });
        panels[index].curves.push((name.to_owned(), values));
    }
    Ok((time, panels))
}
