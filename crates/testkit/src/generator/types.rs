//! Types of generated programs: integers, floats, arrays, structs and pointers, with their C spelling.

use super::Gen;
use super::ints::Int;
use super::tree::Node;
use super::value::Taint;

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    Int(Int),
    /// `float` (false) or `double` (true).
    Float(bool),
    Array(Box<Ty>, u32),
    /// Index into the program's structs.
    Struct(usize),
    /// A pointer to this many elements at least.
    Ptr(Box<Ty>, u32),
}

/// A member of a struct.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) ty: Ty,
    /// Width of a bit-field; at most 31 and of types up to `int`, so that it promotes to `int`.
    pub(super) bits: Option<u32>,
}

/// A struct type.
#[derive(Clone, Debug)]
pub(super) struct Struct {
    pub(super) name: String,
    pub(super) fields: Vec<Field>,
    /// Has a floating member somewhere: its objects stay concrete.
    pub(super) floats: bool,
    /// Has no padding, so that no pointer to a member is known to be aligned.
    pub(super) packed: bool,
}

impl Gen {
    /// `ty name`, with the declarator around the name.
    pub(super) fn declare(&self, ty: &Ty, name: &str) -> String {
        match ty {
            Ty::Int(int) => format!("{} {name}", int.name()),
            Ty::Float(double) => format!("{} {name}", if *double { "double" } else { "float" }),
            Ty::Array(elem, n) => self.declare(elem, &format!("{name}[{n}]")),
            Ty::Struct(id) => format!("struct {} {name}", self.structs[*id].name),
            Ty::Ptr(elem, _) if matches!(**elem, Ty::Array(..)) => self.declare(elem, &format!("(*{name})")),
            Ty::Ptr(elem, _) => self.declare(elem, &format!("*{name}")),
        }
    }

    /// The type's name, as in a cast.
    pub(super) fn type_name(&self, ty: &Ty) -> String {
        self.declare(ty, "").trim_end().to_owned()
    }

    /// Whether objects of this type hold floating values.
    pub(super) fn has_float(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Float(_) => true,
            Ty::Int(_) => false,
            Ty::Array(elem, _) | Ty::Ptr(elem, _) => self.has_float(elem),
            Ty::Struct(id) => self.structs[*id].floats,
        }
    }

    /// A random integer type; `int` is the most frequent, as in real programs.
    pub(super) fn any_int(&mut self) -> Int {
        if self.rng.chance(30) { Int::Int } else { *self.rng.pick(&Int::ALL) }
    }

    /// A random type for an object, without pointers.
    pub(super) fn any_object(&mut self) -> Ty {
        match self.rng.weighted(&[50, 22, 6, 20]) {
            1 => Ty::Array(Box::new(Ty::Int(self.any_int())), self.rng.range(2, 6)),
            2 => {
                let (rows, columns) = (self.rng.range(2, 3), self.rng.range(2, 3));
                let row = Ty::Array(Box::new(Ty::Int(self.any_int())), columns);
                Ty::Array(Box::new(row), rows)
            }
            3 if !self.structs.is_empty() => {
                let one = Ty::Struct(self.rng.index(self.structs.len()));
                if self.rng.chance(20) { Ty::Array(Box::new(one), 2) } else { one }
            }
            _ => Ty::Int(self.any_int()),
        }
    }

    /// What an object of this type may depend on.
    pub(super) fn any_taint(&mut self, ty: &Ty) -> Taint {
        if self.has_float(ty) {
            return Taint::Concrete;
        }
        [Taint::Concrete, Taint::Small, Taint::Wide][self.rng.weighted(&[3, 4, 4])]
    }

    /// Adds a struct type to the program.
    pub(super) fn new_struct(&mut self) {
        let name = self.file_name("s");
        let mut fields = Vec::new();
        for index in 0..self.rng.range(1, 5) {
            let name = format!("m{index}");
            let choice = self.rng.weighted(&[40, 25, 10, 10, if self.options.floats { 15 } else { 0 }]);
            let (ty, bits) = match choice {
                1 => {
                    let ty =
                        *self.rng.pick(&[Int::Int, Int::UInt, Int::Int, Int::UInt, Int::UShort, Int::Bool]);
                    let most = ty.bits().min(31);
                    (Ty::Int(ty), Some(self.rng.range(1, most)))
                }
                2 => (Ty::Array(Box::new(Ty::Int(self.any_int())), self.rng.range(2, 4)), None),
                3 if !self.structs.is_empty() => (Ty::Struct(self.rng.index(self.structs.len())), None),
                4 => (Ty::Float(self.rng.chance(50)), None),
                _ => (Ty::Int(self.any_int()), None),
            };
            fields.push(Field { name, ty, bits });
        }
        let mut text = format!("struct {name} {{\n");
        for field in &fields {
            let bits = field.bits.map_or(String::new(), |b| format!(" : {b}"));
            text.push_str(&format!("  {}{bits};\n", self.declare(&field.ty, &field.name)));
        }
        let packed = self.rng.chance(10);
        text.push_str(if packed { "} __attribute__((packed));" } else { "};" });
        let floats = fields.iter().any(|f| self.has_float(&f.ty));
        self.structs.push(Struct { name, fields, floats, packed });
        self.top.push(Node::line(text));
    }

    /// A constant initialiser for an object of this type.
    pub(super) fn initialiser(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Int(int) => self.constant(*int).text,
            Ty::Float(_) => self.float_literal(),
            Ty::Array(elem, n) => {
                // Short lists leave zeros behind, which the loader must fill in.
                let given = if self.rng.chance(25) { self.rng.range(1, *n) } else { *n };
                let items: Vec<String> = (0..given).map(|_| self.initialiser(elem)).collect();
                format!("{{{}}}", items.join(", "))
            }
            Ty::Struct(id) => {
                let fields = self.structs[*id].fields.clone();
                if self.rng.chance(20) {
                    let field = self.rng.pick(&fields).clone();
                    return format!("{{.{} = {}}}", field.name, self.initialiser(&field.ty));
                }
                let items: Vec<String> = fields.iter().map(|f| self.initialiser(&f.ty)).collect();
                format!("{{{}}}", items.join(", "))
            }
            Ty::Ptr(..) => "0".to_owned(),
        }
    }
}
