//! Parses an XML document into the arena, with quick-xml as the tokenizer.

use super::dom::{Attr, Dom, FileId, Node, NodeId, Source};
use crate::error::{ErrorKind, Report};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;

/// Maximum nesting depth, as in MuJoCo's XML library.
const MAX_DEPTH: usize = 500;

/// Maximum number of attributes of an element.
const MAX_ATTRIBUTES: usize = 1000;

/// Parses `text`, adds its nodes to `dom` and returns the root element.
///
/// Reports at most one syntax error, since subsequent errors would be spurious.
pub(crate) fn parse(
    dom: &mut Dom,
    name: String,
    text: String,
    report: &mut Report,
) -> Option<NodeId> {
    let file = FileId(dom.sources.len());
    dom.sources.push(Source::new(name, text));
    let mut nodes = Vec::new();
    let source = &dom.sources[file.0];
    match build(source, file, dom.nodes.len(), &mut nodes) {
        Ok(root) => {
            dom.nodes.append(&mut nodes);
            Some(root)
        }
        Err((offset, element, kind)) => {
            report.error(source.locate(offset), &element, None, kind);
            None
        }
    }
}

type Failure = (usize, String, ErrorKind);

fn syntax(offset: usize, message: impl Into<String>) -> Failure {
    (offset, String::new(), ErrorKind::Xml(message.into()))
}

fn build(
    source: &Source,
    file: FileId,
    base: usize,
    nodes: &mut Vec<Node>,
) -> Result<NodeId, Failure> {
    let text = source.text.as_str();
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let shift = text.len() - body.len();
    if body.trim().is_empty() {
        return Err(syntax(0, "the file is empty"));
    }
    if let Some(at) = text.find('\0') {
        return Err(syntax(at, "the file contains a NUL character"));
    }

    let mut reader = Reader::from_str(body);
    reader.config_mut().check_end_names = true;
    let mut open: Vec<NodeId> = Vec::new();
    let mut root = None;
    loop {
        let start = shift + position(&reader);
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(e) => {
                let at = shift + usize::try_from(reader.error_position()).unwrap_or(0);
                return Err(syntax(at, e.to_string()));
            }
        };
        match event {
            Event::Start(ref tag) | Event::Empty(ref tag) => {
                if root.is_some() && open.is_empty() {
                    return Err(syntax(start, "more than one root element"));
                }
                if open.len() + 1 >= MAX_DEPTH {
                    let message =
                        format!("elements are nested deeper than {} levels", MAX_DEPTH - 1);
                    return Err(syntax(start, message));
                }
                let id = NodeId(base + nodes.len());
                nodes.push(element(tag, text, file, start)?);
                match open.last() {
                    Some(parent) => nodes[parent.0 - base].children.push(id),
                    None => root = Some(id),
                }
                if matches!(event, Event::Start(_)) {
                    open.push(id);
                }
            }
            Event::End(_) => {
                open.pop();
            }
            Event::Text(ref chars) => {
                let text = chars.trim_start();
                if !text.is_empty() {
                    let start = start + chars.len() - text.len();
                    text_content(nodes, open.last(), base, start)?;
                }
            }
            Event::CData(_) | Event::GeneralRef(_) => {
                text_content(nodes, open.last(), base, start)?;
            }
            Event::Eof => break,
            // Comments, declarations and processing instructions are ignored; a document type is
            // skipped, and its entities are never expanded.
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    if let Some(unclosed) = open.last() {
        let node = &nodes[unclosed.0 - base];
        return Err(syntax(node.offset, format!("<{}> is not closed", node.name)));
    }
    root.ok_or_else(|| syntax(0, "no root element"))
}

/// Records text content of an element; outside the root element it is an error.
fn text_content(
    nodes: &mut [Node],
    parent: Option<&NodeId>,
    base: usize,
    start: usize,
) -> Result<(), Failure> {
    match parent {
        Some(parent) => {
            nodes[parent.0 - base].text.get_or_insert(start);
            Ok(())
        }
        None => Err(syntax(start, "text outside the root element")),
    }
}

fn position(reader: &Reader<&[u8]>) -> usize {
    usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX)
}

fn element(tag: &BytesStart<'_>, text: &str, file: FileId, start: usize) -> Result<Node, Failure> {
    let name = tag.name().as_ref().to_owned();
    let mut attrs: Vec<Attr> = Vec::new();
    for attr in tag.attributes().with_checks(false) {
        let attr = attr.map_err(|e| (start, name.clone(), ErrorKind::Xml(e.to_string())))?;
        let key = attr.key.into_inner();
        let offset = offset_in(text, key).unwrap_or(start);
        let key = key.to_owned();
        if attrs.len() == MAX_ATTRIBUTES {
            let message = format!("more than {MAX_ATTRIBUTES} attributes");
            return Err((offset, name, ErrorKind::Xml(message)));
        }
        if attrs.iter().any(|a| a.name == key) {
            let kind = ErrorKind::Xml(format!("duplicate attribute `{key}`"));
            return Err((offset, name, kind));
        }
        let value = quick_xml::escape::unescape(&normalize_line_ends(&attr.value))
            .map_err(|e| (offset, name.clone(), ErrorKind::Xml(e.to_string())))?
            .into_owned();
        attrs.push(Attr { name: key, value, offset });
    }
    Ok(Node { name, file, offset: start, text: None, attrs, children: Vec::new() })
}

/// Normalizes line ends `\r\n`, `\n\r` and `\r` to `\n`.
///
/// Character references (`&#13;`) are not line ends and are preserved.
fn normalize_line_ends(text: &str) -> Cow<'_, str> {
    if !text.contains('\r') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let other = match c {
            '\r' => '\n',
            '\n' => '\r',
            c => {
                out.push(c);
                continue;
            }
        };
        out.push('\n');
        chars.next_if_eq(&other);
    }
    Cow::Owned(out)
}

/// Byte offset of `part`, a slice of `text`.
fn offset_in(text: &str, part: &str) -> Option<usize> {
    let offset = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    (offset + part.len() <= text.len()).then_some(offset)
}
