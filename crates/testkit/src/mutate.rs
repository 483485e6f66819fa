//! Damage: small random changes to a text or to bytes, for tests that a reader refuses nonsense instead of crashing.

use crate::generator::Rng;

/// Tokens that mean trouble in some place or other.
const NONSENSE: [&str; 10] =
    ["0", "-1", "2147483648", "1e400", "(", "}", ";", "*", "\"", "0xffffffffffffffff"];

/// `text` with some of its tokens removed, doubled, swapped or replaced by others of the same text.
pub fn tokens(text: &str, rng: &mut Rng) -> String {
    let mut tokens: Vec<&str> = split(text);
    if tokens.is_empty() {
        return String::new();
    }
    for _ in 0..rng.range(1, 4) {
        let (a, b) = (rng.index(tokens.len()), rng.index(tokens.len()));
        match rng.below(5) {
            0 => tokens[a] = "",
            1 => tokens.insert(a, tokens[a]),
            2 => tokens.swap(a, b),
            3 => tokens[a] = tokens[b],
            _ => tokens[a] = *rng.pick(&NONSENSE),
        }
    }
    tokens.concat()
}

/// `text` with one of its small numbers replaced by another, in the last three quarters, where the code is.
pub fn number(text: &str, rng: &mut Rng) -> String {
    let mut tokens: Vec<String> = split(text).into_iter().map(str::to_owned).collect();
    let is_small = |token: &String| token.len() == 1 && token.as_bytes()[0].is_ascii_digit();
    let places: Vec<usize> = (0..tokens.len()).filter(|i| is_small(&tokens[*i])).collect();
    let body: Vec<usize> = places.iter().copied().filter(|i| *i > tokens.len() / 4).collect();
    if !body.is_empty() {
        tokens[*rng.pick(&body)] = rng.range(1, 9).to_string();
    }
    tokens.concat()
}

/// `bytes` with some of them changed, removed or doubled, or with the end cut off.
pub fn bytes(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..rng.range(1, 6) {
        if out.is_empty() {
            break;
        }
        let at = rng.index(out.len());
        match rng.below(8) {
            0 => out.truncate(at),
            1 => drop(out.remove(at)),
            2 => out.insert(at, out[at]),
            3 => out[at] = 0xff,
            _ => out[at] ^= 1 << rng.below(8),
        }
    }
    out
}

/// Words, numbers and single signs, with the blanks between them kept as tokens.
fn split(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 1,
        c if c.is_whitespace() => 2,
        _ => 0,
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        if last.is_some_and(|l| l != class(c) || l == 0) {
            tokens.push(&text[start..at]);
            start = at;
        }
        last = Some(class(c));
    }
    tokens.push(&text[start..]);
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_join_to_the_text() {
        let text = "int x1 = (y+2);\n";
        assert_eq!(split(text), ["int", " ", "x1", " ", "=", " ", "(", "y", "+", "2", ")", ";", "\n"]);
    }

    #[test]
    fn damage_depends_on_the_seed_only() {
        let damage = |seed| {
            (
                tokens("int main(void) { return 0; }", &mut Rng::new(seed)),
                bytes(b"abcdef", &mut Rng::new(seed)),
            )
        };
        assert_eq!(damage(3), damage(3));
        assert_ne!(damage(3), damage(4));
    }
}
