//! Numbers that a run reports about itself, from its JSON report or from its output.

use serde_json::Value;

use crate::Metric;

/// The value of `metric`, if the run gave one.
pub(crate) fn value(metric: &Metric, json: Option<&Value>, output: &str) -> Option<f64> {
    if let Some(pointer) = &metric.json {
        let number = |pointer: &str| json?.pointer(pointer)?.as_f64();
        let value = number(pointer)?;
        return match &metric.per {
            None => Some(value),
            Some(per) => number(per).filter(|d| *d > 0.0).map(|d| value / d),
        };
    }
    number_after(output, metric.after.as_deref()?)
}

/// The number after the last occurrence of `text`: tools print their totals at the end.
fn number_after(output: &str, text: &str) -> Option<f64> {
    let rest = output[output.rfind(text)? + text.len()..].trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    rest[..end].trim_end_matches('.').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metric(json: Option<&str>, per: Option<&str>, after: Option<&str>) -> Metric {
        let own = |s: Option<&str>| s.map(str::to_owned);
        Metric { name: "m".into(), json: own(json), per: own(per), after: own(after) }
    }

    #[test]
    fn json_numbers_and_rates() {
        let json = serde_json::json!({ "n": 10, "t": { "s": 4.0, "zero": 0 }, "text": "x" });
        let get = |pointer, per| value(&metric(Some(pointer), per, None), Some(&json), "");
        assert_eq!(get("/n", None), Some(10.0));
        assert_eq!(get("/n", Some("/t/s")), Some(2.5));
        assert_eq!(get("/n", Some("/t/zero")), None, "no rate over no time");
        assert_eq!((get("/none", None), get("/text", None)), (None, None));
        assert_eq!(value(&metric(Some("/n"), None, None), None, ""), None, "no report");
    }

    #[test]
    fn numbers_in_text() {
        let output = "KLEE: done: completed paths = 5\nKLEE: done: completed paths = 720\nmore";
        let get = |after| value(&metric(None, None, Some(after)), None, output);
        assert_eq!(get("completed paths = "), Some(720.0));
        assert_eq!(get("done:"), None, "not followed by a number");
        assert_eq!(get("absent"), None);
    }
}
