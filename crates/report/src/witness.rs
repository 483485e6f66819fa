//! Violation witnesses of SV-COMP: GraphML, format 1.0.
//!
//! Guarantees: a function of its arguments; nodes and edges follow the re-executed schedule, one edge for each line
//! that ran. Lines are those of the file the task names: for a preprocessed file, of that file and not of the sources
//! its markers speak of.

use std::collections::BTreeMap;
use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use selvedge_engine::{Bug, Input, InputKind, Step};

/// What a witness says besides the execution.
#[derive(Clone, Debug)]
pub struct WitnessOptions {
    /// Version of the tool.
    pub version: String,
    /// The violated property, in the words of the property file.
    pub specification: String,
    /// The program's file name.
    pub program_file: String,
    /// The program's text.
    pub program: String,
    /// SHA-256 of the program, in hexadecimal digits.
    pub program_hash: String,
    /// `32bit` or `64bit`.
    pub architecture: &'static str,
    /// When the witness was made, in ISO 8601.
    pub creation_time: String,
    /// The function the program starts from.
    pub entry: String,
}

/// `(id, name, type, for, default)` of the data that a witness uses.
const KEYS: [(&str, &str, &str, &str, Option<&str>); 19] = [
    ("witness-type", "witness-type", "string", "graph", None),
    ("sourcecodelang", "sourcecodelang", "string", "graph", None),
    ("producer", "producer", "string", "graph", None),
    ("specification", "specification", "string", "graph", None),
    ("programfile", "programfile", "string", "graph", None),
    ("programhash", "programhash", "string", "graph", None),
    ("architecture", "architecture", "string", "graph", None),
    ("creationtime", "creationtime", "string", "graph", None),
    ("entry", "isEntryNode", "boolean", "node", Some("false")),
    ("violation", "isViolationNode", "boolean", "node", Some("false")),
    ("startline", "startline", "int", "edge", None),
    ("endline", "endline", "int", "edge", None),
    ("assumption", "assumption", "string", "edge", None),
    ("assumption.scope", "assumption.scope", "string", "edge", None),
    ("assumption.resultfunction", "assumption.resultfunction", "string", "edge", None),
    ("enterFunction", "enterFunction", "string", "edge", None),
    ("returnFromFunction", "returnFromFunction", "string", "edge", None),
    ("threadId", "threadId", "int", "edge", Some("0")),
    ("createThread", "createThread", "int", "edge", None),
];

/// The witness of `bug`.
pub fn graphml(bug: &Bug, options: &WitnessOptions) -> String {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    write(&mut xml, bug, options).expect("memory does not fail");
    let mut text = String::from_utf8(xml.into_inner()).expect("text was written");
    text.push('\n');
    text
}

/// Writes to memory.
type Xml = Writer<Vec<u8>>;

fn write(xml: &mut Xml, bug: &Bug, options: &WitnessOptions) -> io::Result<()> {
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), Some("no"))))?;
    let root = xml.create_element("graphml").with_attributes([
        ("xmlns", "http://graphml.graphdrawing.org/xmlns"),
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
    ]);
    root.write_inner_content(|xml| {
        for (id, name, ty, what, default) in KEYS {
            let attributes = [("attr.name", name), ("attr.type", ty), ("for", what), ("id", id)];
            let key = xml.create_element("key").with_attributes(attributes);
            match default {
                None => key.write_empty()?,
                Some(value) => key.write_inner_content(|xml| {
                    xml.create_element("default").write_text_content(BytesText::new(value)).map(drop)
                })?,
            };
        }
        let graph = xml.create_element("graph").with_attribute(("edgedefault", "directed"));
        graph.write_inner_content(|xml| write_graph(xml, bug, options)).map(drop)
    })?;
    Ok(())
}

fn write_graph(xml: &mut Xml, bug: &Bug, options: &WitnessOptions) -> io::Result<()> {
    let producer = format!("Selvedge {}", options.version);
    for (key, value) in [
        ("witness-type", "violation_witness"),
        ("sourcecodelang", "C"),
        ("producer", producer.as_str()),
        ("specification", &options.specification),
        ("programfile", &options.program_file),
        ("programhash", &options.program_hash),
        ("architecture", options.architecture),
        ("creationtime", &options.creation_time),
    ] {
        write_data(xml, key, value)?;
    }
    let edges = edges(bug, options);
    for (i, edge) in edges.iter().enumerate() {
        write_node(xml, i, (i == 0).then_some("entry"))?;
        let (source, target) = (format!("N{i}"), format!("N{}", i + 1));
        let ends = [("source", source.as_str()), ("target", target.as_str())];
        xml.create_element("edge").with_attributes(ends).write_inner_content(|xml| {
            edge.iter().try_for_each(|(key, value)| write_data(xml, key, value))
        })?;
    }
    write_node(xml, edges.len(), Some("violation"))
}

fn write_node(xml: &mut Xml, number: usize, mark: Option<&str>) -> io::Result<()> {
    let id = format!("N{number}");
    let node = xml.create_element("node").with_attribute(("id", id.as_str()));
    match mark {
        Some(mark) => node.write_inner_content(|xml| write_data(xml, mark, "true"))?,
        None => node.write_empty()?,
    };
    Ok(())
}

fn write_data(xml: &mut Xml, key: &str, value: &str) -> io::Result<()> {
    // Other control characters are no characters of XML 1.0, not even as references.
    let is_none = |c: char| c.is_control() && c != '\n' && c != '\t';
    let value: String = value.chars().map(|c| if is_none(c) { ' ' } else { c }).collect();
    xml.create_element("data").with_attribute(("key", key)).write_text_content(BytesText::new(&value))?;
    Ok(())
}

type Edge = Vec<(&'static str, String)>;

fn edges(bug: &Bug, options: &WitnessOptions) -> Vec<Edge> {
    let lines = Lines::of(&options.program);
    let first: Edge = vec![
        ("threadId", "0".to_owned()),
        ("createThread", "0".to_owned()),
        ("enterFunction", options.entry.clone()),
    ];
    let mut edges = vec![first];
    // Depth and function of each thread's last step.
    let mut last: BTreeMap<u32, (u32, &str)> = BTreeMap::from([(0, (1, options.entry.as_str()))]);
    for (i, step) in bug.schedule.iter().enumerate() {
        if step.place.line == 0 {
            // Steps were left out: what was entered meanwhile is not known.
            last.clear();
            continue;
        }
        let mut edge: Edge = Vec::new();
        if let Some(line) = lines.physical(&step.place.file, step.place.line) {
            edge.push(("startline", line.to_string()));
            edge.push(("endline", line.to_string()));
        }
        edge.push(("threadId", step.thread.to_string()));
        let function = step.place.function.as_str();
        let entered = match last.get(&step.thread) {
            Some((depth, _)) => step.depth > *depth,
            None => step.thread != 0 && step.depth == 1,
        };
        if entered {
            edge.push(("enterFunction", function.to_owned()));
        }
        let next = bug.schedule[i + 1..].iter().find(|s| s.thread == step.thread);
        if next.is_some_and(|next| next.depth > 0 && next.depth < step.depth) {
            edge.push(("returnFromFunction", function.to_owned()));
        }
        last.insert(step.thread, (step.depth, function));
        assumptions(bug, step, &mut edge);
        let mut created = step.creates.iter();
        if let Some(thread) = created.next() {
            edge.push(("createThread", thread.to_string()));
        }
        edges.push(edge);
        // An edge starts one thread at most.
        for thread in created {
            edges.push(vec![("threadId", step.thread.to_string()), ("createThread", thread.to_string())]);
        }
    }
    edges
}

/// The values of the inputs that a step consumed. An edge can speak of the result of one function only.
fn assumptions(bug: &Bug, step: &Step, edge: &mut Edge) {
    let mut result: Option<&str> = None;
    let mut formulas = Vec::new();
    for (index, function) in &step.inputs {
        let Some(input) = bug.inputs.get(*index) else { continue };
        if function.is_empty() || input.kind != InputKind::Program || result.is_some() {
            continue;
        }
        if let Some(value) = c_value(input) {
            formulas.push(format!("\\result=={value};"));
            result = Some(function);
        }
    }
    if let Some(function) = result {
        edge.push(("assumption", formulas.concat()));
        edge.push(("assumption.scope", step.place.function.clone()));
        edge.push(("assumption.resultfunction", function.to_owned()));
    }
}

/// A scalar value as a C expression.
fn c_value(input: &Input) -> Option<String> {
    let value = input.value.as_str();
    if let Ok(number) = value.parse::<i64>() {
        // The smallest number has no literal of its own.
        return Some(if number == i64::MIN { format!("({}-1)", i64::MIN + 1) } else { value.to_owned() });
    }
    if value.parse::<u64>().is_ok() {
        return Some(format!("{value}ULL"));
    }
    let number: f64 = value.parse().ok()?;
    number.is_finite().then(|| value.to_owned())
}

/// Where the lines of the sources are in a file that a preprocessor wrote.
struct Lines {
    /// By file and line; empty if the file has no markers.
    physical: BTreeMap<(String, u32), u32>,
}

impl Lines {
    fn of(program: &str) -> Self {
        let mut physical = BTreeMap::new();
        let mut presumed: Option<(String, u32)> = None;
        for (i, line) in program.lines().enumerate() {
            if let Some(marker) = marker(line) {
                presumed = Some(marker);
            } else if let Some((file, at)) = &mut presumed {
                physical.entry((file.clone(), *at)).or_insert(i as u32 + 1);
                *at += 1;
            }
        }
        Lines { physical }
    }

    fn physical(&self, file: &str, line: u32) -> Option<u32> {
        if self.physical.is_empty() {
            return Some(line);
        }
        self.physical.get(&(file.to_owned(), line)).copied()
    }
}

/// `# 12 "a.c" 1` as the place of the next line.
fn marker(line: &str) -> Option<(String, u32)> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").map_or(rest, str::trim_start);
    let (number, rest) = rest.split_once(' ')?;
    let (file, _) = rest.trim_start().strip_prefix('"')?.split_once('"')?;
    Some((file.to_owned(), number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use expect_test::expect;
    use selvedge_engine::Place;

    fn options(program: &str) -> WitnessOptions {
        WitnessOptions {
            version: "0.1.0".into(),
            specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".into(),
            program_file: "a<b>.c".into(),
            program: program.into(),
            program_hash: "00".into(),
            architecture: "64bit",
            creation_time: "2026-01-02T03:04:05Z".into(),
            entry: "main".into(),
        }
    }

    fn step(thread: u32, line: u32, function: &str, depth: u32) -> Step {
        let place = Place { file: "a.c".into(), line, function: function.into(), ..Place::default() };
        Step { thread, place, depth, ..Step::default() }
    }

    #[test]
    fn threads_calls_and_inputs_are_on_their_edges() {
        let mut schedule = vec![step(0, 20, "main", 1), step(0, 21, "main", 1), step(1, 5, "worker", 1)];
        schedule.extend([step(1, 2, "f", 2), step(1, 3, "f", 2), step(1, 6, "worker", 1)]);
        schedule[0].inputs = vec![(0, "__VERIFIER_nondet_int".into())];
        schedule[1].creates = vec![1];
        let bug = Bug { schedule, ..sample::bug() };
        let text = graphml(&bug, &options("int x;\n"));
        let graph = &text[text.find("<graph ").expect("a graph")..];
        expect![[r#"
            <graph edgedefault="directed">
                <data key="witness-type">violation_witness</data>
                <data key="sourcecodelang">C</data>
                <data key="producer">Selvedge 0.1.0</data>
                <data key="specification">CHECK( init(main()), LTL(G ! call(reach_error())) )</data>
                <data key="programfile">a&lt;b&gt;.c</data>
                <data key="programhash">00</data>
                <data key="architecture">64bit</data>
                <data key="creationtime">2026-01-02T03:04:05Z</data>
                <node id="N0">
                  <data key="entry">true</data>
                </node>
        "#]]
        .assert_eq(&graph[..graph.find("    <edge").expect("an edge")]);
        let dense: String = graph.split_whitespace().collect();
        let input = "<datakey=\"startline\">20</data><datakey=\"endline\">20</data><datakey=\"threadId\">0</data>\
                     <datakey=\"assumption\">\\result==10;</data><datakey=\"assumption.scope\">main</data>\
                     <datakey=\"assumption.resultfunction\">__VERIFIER_nondet_int</data></edge>";
        assert!(dense.contains(input), "{dense}");
        assert!(dense.contains("<datakey=\"createThread\">1</data></edge>"), "{dense}");
        let worker = "5</data><datakey=\"threadId\">1</data><datakey=\"enterFunction\">worker</data></edge>";
        assert!(dense.contains(worker), "{dense}");
        assert!(dense.contains("<datakey=\"enterFunction\">f</data></edge>"), "{dense}");
        assert!(
            dense.contains("3</data><datakey=\"threadId\">1</data><datakey=\"returnFromFunction\">f</data>")
        );
        assert!(
            dense.ends_with("<nodeid=\"N7\"><datakey=\"violation\">true</data></node></graph></graphml>")
        );
    }

    #[test]
    fn lines_are_those_of_the_preprocessed_file() {
        let lines =
            Lines::of("# 1 \"a.c\"\n# 1 \"/usr/include/x.h\" 1 3\nint x;\n# 7 \"a.c\" 2\nint y;\nint z;\n");
        assert_eq!(lines.physical("a.c", 8), Some(6));
        assert_eq!(lines.physical("/usr/include/x.h", 1), Some(3));
        assert_eq!(lines.physical("a.c", 1), None);
        assert_eq!(Lines::of("int x;\n#define A 1\n").physical("b.c", 2), Some(2));
    }

    #[test]
    fn values_are_c_expressions() {
        let value = |v: &str| c_value(&Input { value: v.into(), ..sample::bug().inputs[0].clone() });
        assert_eq!(value("-5").as_deref(), Some("-5"));
        assert_eq!(value("-9223372036854775808").as_deref(), Some("(-9223372036854775807-1)"));
        assert_eq!(value("18446744073709551615").as_deref(), Some("18446744073709551615ULL"));
        assert_eq!(value("0.5").as_deref(), Some("0.5"));
        assert_eq!((value("NaN"), value("0x10"), value("01 02")), (None, None, None));
    }
}
