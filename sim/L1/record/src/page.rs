//! The HTML page: the player's parts in one file, with the recorded data.

use std::io::{self, Write};

const STYLE: &str = include_str!("../player/style.css");
const BODY: &str = include_str!("../player/body.html");

/// Scripts in the order in which they are evaluated; they share one scope.
const SCRIPTS: [&str; 8] = [
    include_str!("../player/math.js"),
    include_str!("../player/data.js"),
    include_str!("../player/shape.js"),
    include_str!("../player/shader.js"),
    include_str!("../player/view.js"),
    include_str!("../player/draw.js"),
    include_str!("../player/plot.js"),
    include_str!("../player/main.js"),
];

/// Writes the page; `data` writes the recorded data as base64.
pub(crate) fn write<W: Write>(
    title: &str,
    out: &mut W,
    data: impl FnOnce(&mut W) -> io::Result<()>,
) -> io::Result<()> {
    let title = escaped(title);
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{BODY}"
    )?;
    out.write_all(b"<script type=\"application/octet-stream\" id=\"data\">")?;
    data(out)?;
    out.write_all(b"</script>\n<script>\n\"use strict\";\n(() => {\n")?;
    for script in SCRIPTS {
        out.write_all(script.as_bytes())?;
    }
    out.write_all(b"})();\n</script>\n</body>\n</html>\n")?;
    out.flush()
}

/// Text with the characters replaced that have a meaning in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
