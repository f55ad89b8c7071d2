//! XML tree in an arena; every element and attribute has a source location.
//!
//! Nodes refer to each other by index, so traversal and drop need no recursion.

use crate::error::Location;

/// Index of an element in its [`Dom`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodeId(pub(crate) usize);

/// Index of a source file in its [`Dom`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileId(pub(crate) usize);

/// An attribute.
#[derive(Debug)]
pub(crate) struct Attr {
    pub(crate) name: String,
    pub(crate) value: String,
    /// Byte offset of the name.
    pub(crate) offset: usize,
}

/// An element.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) file: FileId,
    /// Byte offset of the opening bracket.
    pub(crate) offset: usize,
    /// Byte offset of the first text content.
    pub(crate) text: Option<usize>,
    pub(crate) attrs: Vec<Attr>,
    pub(crate) children: Vec<NodeId>,
}

/// A source file, kept to convert byte offsets to lines and columns.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: String,
    /// Byte offset of the start of each line.
    lines: Vec<usize>,
}

impl Source {
    pub(crate) fn new(name: String, text: String) -> Self {
        let lines =
            std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Self { name, text, lines }
    }

    /// Location of a byte offset.
    pub(crate) fn locate(&self, offset: usize) -> Location {
        let (line, column) = self.line_column(offset);
        Location { file: self.name.clone(), line, column }
    }

    /// 1-based line and column of a byte offset.
    pub(crate) fn line_column(&self, offset: usize) -> (u32, u32) {
        let line = self.lines.partition_point(|&start| start <= offset).max(1);
        let start = self.lines[line - 1];
        // Columns count characters; in very long lines bytes, to bound the cost.
        let prefix = self.text.get(start..offset.min(self.text.len())).unwrap_or("");
        let column = if prefix.len() > 10_000 { prefix.len() } else { prefix.chars().count() };
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        (number(line), number(column + 1))
    }
}

/// The tree with its source files.
#[derive(Debug, Default)]
pub(crate) struct Dom {
    pub(crate) nodes: Vec<Node>,
    pub(crate) sources: Vec<Source>,
}

impl Dom {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// Location of an element.
    pub(crate) fn location(&self, id: NodeId) -> Location {
        let node = self.node(id);
        self.sources[node.file.0].locate(node.offset)
    }

    /// Location of an attribute, or of its element if it is absent.
    pub(crate) fn attr_location(&self, id: NodeId, name: &str) -> Location {
        let node = self.node(id);
        let offset = node.attrs.iter().find(|a| a.name == name).map_or(node.offset, |a| a.offset);
        self.sources[node.file.0].locate(offset)
    }

    /// Location of the first text content of an element.
    pub(crate) fn text_location(&self, id: NodeId) -> Option<Location> {
        let node = self.node(id);
        Some(self.sources[node.file.0].locate(node.text?))
    }

    /// Value of an attribute.
    pub(crate) fn attr(&self, id: NodeId, name: &str) -> Option<&str> {
        self.node(id).attrs.iter().find(|a| a.name == name).map(|a| a.value.as_str())
    }

    /// The children of an element.
    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.node(id).children.iter().copied()
    }
}
