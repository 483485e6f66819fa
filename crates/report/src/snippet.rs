//! Messages with quoted source, drawn by `annotate-snippets`: a headline, marked places, and facts below them.
//!
//! Guarantees: a mark stands under the named column also after tabs and multi-byte characters; a place outside of its text
//! is named and not quoted; a line without a known column is marked as a whole. Columns of debug information count bytes,
//! those above quoted lines count characters. No control character of a source reaches the terminal.

use annotate_snippets::renderer::{AnsiColor, Effects};
use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use selvedge_engine::Place;

use crate::Sources;
use crate::paint::printable;

/// Lines quoted before the most important one.
const CONTEXT: usize = 2;

/// A place and what is to be said of it.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) place: Place,
    /// Bytes that are marked; 0 for the word that begins there.
    pub(crate) length: usize,
    /// May be empty.
    pub(crate) label: String,
    /// It is what the headline is about.
    pub(crate) is_primary: bool,
}

/// A message; its texts are printable.
pub(crate) struct Message<'a> {
    pub(crate) level: Level<'a>,
    /// What scripts know the kind of message by.
    pub(crate) id: Option<&'a str>,
    pub(crate) title: String,
    pub(crate) spans: Vec<Span>,
    pub(crate) notes: Vec<(Level<'a>, String)>,
}

/// The renderer for lines of at most `width` columns.
pub(crate) fn renderer(color: bool, width: usize) -> Renderer {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    // As everywhere in a report; the second colour of the library's own choice is hard to tell from the first.
    let note = AnsiColor::BrightCyan.on_default().effects(Effects::BOLD);
    let renderer = if color { renderer.note(note).help(note) } else { renderer };
    renderer.term_width(width)
}

/// `file:line:column`, as much of it as is known.
pub(crate) fn place_name(place: &Place) -> String {
    let mut name = printable(&place.file);
    if !name.is_empty() && place.line != 0 {
        name.push_str(&format!(":{}", place.line));
        if place.column != 0 {
            name.push_str(&format!(":{}", place.column));
        }
    }
    name
}

/// The message as lines, each ended by a newline.
pub(crate) fn render(message: &Message<'_>, sources: &mut Sources, renderer: &Renderer) -> String {
    let mut elements: Vec<Element<'_>> = Vec::new();
    let mut notes: Vec<Element<'_>> = Vec::new();
    let (mut quoted, mut missing): (Vec<File>, Vec<&Span>) = (Vec::new(), Vec::new());
    for span in &message.spans {
        match quoted.iter_mut().find(|file| file.is_of(&span.place)) {
            Some(file) if (span.place.line as usize) <= file.lines.len() => file.spans.push(span),
            Some(_) => missing.push(span),
            None => match File::read(sources, span) {
                Some(file) => quoted.push(file),
                None => missing.push(span),
            },
        }
    }
    // The one that the headline is about leads.
    quoted.sort_by_key(|file| !file.spans.iter().any(|span| span.is_primary));
    for span in missing {
        match span.is_primary {
            true => {
                elements.extend(origin(&span.place).map(Element::from));
                if !span.label.is_empty() {
                    notes.push(Level::NOTE.message(span.label.clone()).into());
                }
                notes.push(Level::HELP.message(why_missing(&span.place)).into());
            }
            false => notes.push(Level::NOTE.message(told(&span.label, &span.place)).into()),
        }
    }
    elements.extend(quoted.iter().map(|file| file.snippet().into()));
    notes.extend(message.notes.iter().map(|(level, text)| level.clone().message(text.clone()).into()));
    let title = message.level.clone().primary_title(message.title.clone());
    let title = match message.id {
        Some(id) => title.id(id),
        None => title,
    };
    let report = [Group::with_title(title).elements(elements).elements(notes)];
    let text = renderer.render(&report);
    let mut lines: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    if lines.is_empty() {
        lines.push('\n');
    }
    lines
}

/// The headline with the place, which is not quoted.
pub(crate) fn headline(title: &str, id: &str, place: &Place, renderer: &Renderer) -> String {
    let title = Level::ERROR.primary_title(title).id(id);
    let report = [Group::with_title(title).elements(origin(place))];
    format!("{}\n", renderer.render(&report))
}

/// The line with the arrow, for a place that cannot be quoted.
fn origin(place: &Place) -> Option<Origin<'static>> {
    if place.file.is_empty() {
        return None;
    }
    let origin = Origin::path(printable(&place.file));
    Some(match (place.line as usize, place.column as usize) {
        (0, _) => origin,
        (line, 0) => origin.line(line),
        (line, column) => origin.line(line).char_column(column),
    })
}

fn why_missing(place: &Place) -> &'static str {
    if place.file.is_empty() || place.line == 0 {
        "there is no source line: compile with -g"
    } else {
        "the source file is not there any more, or shorter: the line cannot be quoted"
    }
}

/// What is said of a place that is not quoted.
pub(crate) fn told(label: &str, place: &Place) -> String {
    let name = place_name(place);
    let at = if name.is_empty() { "an unknown place".to_owned() } else { name };
    format!("{} at {at}", label.strip_suffix(" here").unwrap_or(label))
}

/// A file that is quoted.
struct File<'a> {
    lines: Vec<String>,
    spans: Vec<&'a Span>,
}

impl<'a> File<'a> {
    /// The text that `span` is in.
    fn read(sources: &mut Sources, span: &'a Span) -> Option<Self> {
        let lines = sources.lines(&span.place.dir, &span.place.file)?;
        let line = span.place.line as usize;
        (1..=lines.len()).contains(&line).then(|| File { lines: lines.to_vec(), spans: vec![span] })
    }

    fn is_of(&self, place: &Place) -> bool {
        let mine = &self.spans[0].place;
        place.line != 0 && (&mine.dir, &mine.file) == (&place.dir, &place.file)
    }

    fn snippet(&self) -> Snippet<'static, Annotation<'static>> {
        let line_of = |span: &&Span| span.place.line as usize;
        let most_important = self.spans.iter().find(|span| span.is_primary);
        let context =
            most_important.map(|span| (line_of(span).saturating_sub(CONTEXT).max(1), line_of(span)));
        let first = self.spans.iter().map(line_of).chain(context.map(|(first, _)| first)).min().unwrap_or(1);
        let last = self.spans.iter().map(line_of).max().unwrap_or(1);
        let mut text = String::new();
        let mut annotations: Vec<Annotation<'static>> = Vec::new();
        for line in first..=last {
            let shown = cleaned(self.lines[line - 1].trim_end());
            let (start, end) = (text.len(), text.len() + shown.len());
            if context.is_some_and(|(first, last)| (first..last).contains(&line)) {
                annotations.push(AnnotationKind::Visible.span(start..end));
            }
            for span in self.spans.iter().filter(|span| line_of(span) == line) {
                let kind = if span.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
                let marked = marked(&shown, span.place.column as usize, span.length);
                let annotation = kind.span(start + marked.start..start + marked.end);
                annotations.push(match span.label.as_str() {
                    "" => annotation,
                    label => annotation.label(label.to_owned()),
                });
            }
            text.push_str(&shown);
            text.push('\n');
        }
        let path = printable(&self.spans[0].place.file);
        Snippet::source(text).line_start(first).path(path).annotations(annotations)
    }
}

/// Control characters that the library passes on become spaces of as many bytes.
fn cleaned(line: &str) -> String {
    let clean = |c: char| if ('\u{80}'..'\u{a0}').contains(&c) { '\u{a0}' } else { c };
    line.chars().map(clean).collect()
}

/// The bytes of a line that are marked: `length` from `column` on, or the word there, or all of it if no such column is.
fn marked(line: &str, column: usize, length: usize) -> std::ops::Range<usize> {
    let indent = line.len() - line.trim_start().len();
    let Some((start, rest)) = column.checked_sub(1).and_then(|start| Some((start, line.get(start..)?)))
    else {
        return indent..line.len();
    };
    let end = (start + length).min(line.len());
    if length > 0 && line.is_char_boundary(end) {
        return start..end;
    }
    let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let one = rest.chars().next().map_or(0, char::len_utf8);
    start..start + word.max(one)
}

#[cfg(test)]
mod tests;
