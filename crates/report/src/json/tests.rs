//! What a report looks like in JSON.

use super::*;
use crate::sample;
use expect_test::expect;

fn options() -> JsonOptions {
    JsonOptions { version: "0.1.0".into(), reduce: "ag", replay_files: vec!["bug-1.json".into()] }
}

#[test]
fn a_bug_is_reported_with_all_fields() {
    expect![[r#"
        {
          "schema": 2,
          "tool": "selvedge",
          "version": "0.1.0",
          "verdict": "unsafe",
          "bounded": false,
          "reasons": [],
          "warnings": [],
          "assumptions": [],
          "reduce": "ag",
          "executions": {
            "total": 12,
            "full": 11,
            "pruned": 0,
            "blocked": 0,
            "failed": 1,
            "cut": 0
          },
          "states": 1439,
          "instructions": 98765,
          "time_s": 0.02,
          "peak_rss_mib": 31.25,
          "solver": {
            "queries": 1438,
            "cache_hits": 1200,
            "time_s": 0.21
          },
          "summaries": {
            "stored": 0,
            "checks": 0,
            "solver_checks": 0,
            "hits": 0,
            "dropped": 0,
            "formulas": 0,
            "nodes": 0
          },
          "slice": {
            "instructions": 0,
            "in_slice": 0
          },
          "phases": {
            "frontend_s": 0.05,
            "slice_s": 0.0,
            "explore_s": 0.35
          },
          "coverage": {
            "lines": 7,
            "lines_covered": 6,
            "branches": 6,
            "branches_taken": 5,
            "files": [
              {
                "file": "sum.c",
                "covered": [
                  4,
                  5,
                  6,
                  7,
                  10,
                  11
                ],
                "missed": [
                  12
                ]
              }
            ]
          },
          "tests": 3,
          "bugs": [
            {
              "kind": "memory",
              "class": "invalid-access",
              "message": "out-of-bounds read of 4 bytes at offset 40 of \"buf\" (40 bytes)",
              "location": {
                "file": "sum.c",
                "line": 6,
                "column": 14,
                "function": "sum"
              },
              "thread": 0,
              "notes": [
                "declared at sum.c:2"
              ],
              "places": [
                {
                  "text": "declared here",
                  "thread": null,
                  "location": {
                    "file": "sum.c",
                    "line": 2,
                    "column": 0,
                    "function": ""
                  },
                  "callers": []
                }
              ],
              "stack": [
                {
                  "file": "sum.c",
                  "line": 6,
                  "column": 14,
                  "function": "sum",
                  "values": [
                    {
                      "name": "n",
                      "value": "10"
                    },
                    {
                      "name": "i",
                      "value": "10"
                    },
                    {
                      "name": "s",
                      "value": "0"
                    }
                  ]
                },
                {
                  "file": "sum.c",
                  "line": 12,
                  "column": 12,
                  "function": "main",
                  "values": []
                }
              ],
              "inputs": [
                {
                  "name": "n",
                  "type": "int",
                  "value": "10",
                  "source": "program",
                  "bytes": "0a000000"
                },
                {
                  "name": "stdin",
                  "type": "bytes",
                  "value": "\"a\\n\"",
                  "source": "stdin",
                  "bytes": "610a"
                }
              ],
              "schedule": [
                {
                  "thread": 0,
                  "file": "sum.c",
                  "line": 10,
                  "function": "main",
                  "text": "n = 10",
                  "reads": [],
                  "writes": []
                },
                {
                  "thread": 0,
                  "file": "sum.c",
                  "line": 11,
                  "function": "main",
                  "text": "branch not taken: n < 0",
                  "reads": [],
                  "writes": []
                },
                {
                  "thread": 0,
                  "file": "sum.c",
                  "line": 12,
                  "function": "main",
                  "text": "call sum",
                  "reads": [],
                  "writes": []
                },
                {
                  "thread": 0,
                  "file": "sum.c",
                  "line": 6,
                  "function": "sum",
                  "text": "read buf[10]",
                  "reads": [
                    {
                      "name": "i",
                      "value": "10",
                      "writer": {
                        "thread": 0,
                        "step": 0
                      }
                    }
                  ],
                  "writes": []
                }
              ],
              "stdout": "start\nn is \u001b10\n",
              "test": "bug-1.json"
            }
          ]
        }
    "#]]
    .assert_eq(&render(&sample::unsafe_(), &mut sample::sources(), &options()));
}

#[test]
fn every_field_of_the_contract_is_there_also_when_empty() {
    let text = render(&sample::safe(), &mut sample::sources(), &options());
    let value: serde_json::Value = serde_json::from_str(&text).expect("valid JSON");
    for path in [
        "/schema",
        "/tool",
        "/version",
        "/verdict",
        "/bounded",
        "/reasons",
        "/warnings",
        "/reduce",
        "/executions/total",
        "/executions/full",
        "/executions/pruned",
        "/executions/blocked",
        "/executions/failed",
        "/executions/cut",
        "/states",
        "/instructions",
        "/time_s",
        "/peak_rss_mib",
        "/solver/queries",
        "/solver/cache_hits",
        "/solver/time_s",
        "/summaries/stored",
        "/summaries/checks",
        "/summaries/hits",
        "/summaries/dropped",
        "/slice/instructions",
        "/slice/in_slice",
        "/phases/frontend_s",
        "/phases/slice_s",
        "/phases/explore_s",
        "/coverage/lines",
        "/tests",
        "/bugs",
    ] {
        assert!(value.pointer(path).is_some(), "{path} is missing");
    }
    assert_eq!(value["verdict"], "safe");
    assert_eq!(value["executions"]["total"], 720);
}

#[test]
fn without_replay_files_the_test_is_null() {
    let options = JsonOptions { replay_files: vec![], ..options() };
    let value: serde_json::Value =
        serde_json::from_str(&render(&sample::unsafe_(), &mut sample::sources(), &options))
            .expect("valid JSON");
    assert!(value["bugs"][0]["test"].is_null());
}

#[test]
fn infinite_times_do_not_break_the_syntax() {
    let outcome = Outcome { time_s: f64::INFINITY, ..sample::safe() };
    assert!(
        serde_json::from_str::<serde_json::Value>(&render(&outcome, &mut sample::sources(), &options()))
            .is_ok()
    );
}
