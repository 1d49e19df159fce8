import AuthValues
import Testing

@testable import Conformance

@Suite struct `Matchers of answers` {
  static let now = Timestamp(milliseconds: 1_750_000_000_000)

  /// A matcher, and a value that it takes or refuses.
  struct Sample: Sendable, CustomTestStringConvertible {
    let matcher: JSONValue
    let value: JSONValue
    var testDescription: String { "\(matcher.text) of \(value.text)" }

    init(_ matcher: JSONValue, _ value: JSONValue) {
      self.matcher = matcher
      self.value = value
    }
  }

  private func match(
    _ matcher: JSONValue, _ value: JSONValue?, _ values: inout CaseValues
  ) throws {
    let reader = MatcherReader(place: CasePlace(file: "test.json"))
    try reader.matcher(matcher).match(value, &values, now: Self.now)
  }

  private static let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1aWQtMSIsImFnZSI6N30."

  private static let taken: [Sample] = [
    Sample("a", "a"), Sample(1, 1), Sample(1, .number(1)), Sample(true, true),
    Sample(.null, .null), Sample([], []), Sample([1, "a"], [1, "a"]),
    Sample([:], ["other": 1]), Sample(["a": 1], ["a": 1, "b": 2]),
    Sample(["a": ["b": [1]]], ["a": ["b": [1], "c": 2]]),
    Sample(["a": ["$absent": true]], ["b": 1]),
    Sample(["$type": "string"], ""), Sample(["$type": "number"], 1),
    Sample(["$type": "number"], .number(1.5)), Sample(["$type": "boolean"], false),
    Sample(["$type": "object"], [:]), Sample(["$type": "array"], []),
    Sample(["$type": "null"], .null),
    Sample(["$matches": "^a+$"], "aaa"), Sample(["$matches": "b"], "abc"),
    Sample(["$contains": "b"], "abc"), Sample(["$contains": 2], [1, 2]),
    Sample(["$contains": ["id": "x"]], [["id": "y"], ["id": "x", "more": 1]]),
    Sample(["$count": 2], [1, 2]), Sample(["$count": 0], []),
    Sample(["$token": ["sub": "uid-1", "age": 7]], .string(token)),
    Sample(["$tokenHeader": ["alg": "none"]], .string(token)),
    Sample(["$json": ["role": "editor"]], #"{"role":"editor","level":1}"#),
    Sample(["$not": "a"], "b"), Sample(["$not": ["$type": "string"]], 1),
    Sample(["$not": ["$contains": ["id": "x"]]], [["id": "y"]]),
    Sample(
      ["$parameter": ["of": "mode", "is": "resetPassword"]],
      "https://a.example/x?mode=resetPassword&oobCode=1"),
    Sample(["$now": 5], 1_750_000_003), Sample(["$now": 5], "1750000003"),
    Sample(["$now": 5], "1750000003999"), Sample(["$now": 5], "2025-06-15T15:06:41.500Z"),
    Sample(["$type": "string", "$matches": "^a", "$contains": "c"], "abc"),
  ]

  @Test(arguments: taken) func `take what they describe`(_ sample: Sample) throws {
    var values = CaseValues([:])
    try match(sample.matcher, sample.value, &values)
  }

  private static let refused: [Sample] = [
    Sample("a", "A"), Sample("1", 1), Sample(1, "1"), Sample(1, 2), Sample(0, false),
    Sample(1, true), Sample(.null, false), Sample("", .null), Sample([], [1]),
    Sample([1], []), Sample([1, 2], [2, 1]), Sample([:], []), Sample([:], "text"),
    Sample(["a": 1], ["b": 1]), Sample(["a": .null], ["b": 1]),
    Sample(["a": ["$absent": true]], ["a": .null]), Sample(["a": ["$type": "string"]], [:]),
    Sample(["$type": "string"], 1), Sample(["$type": "number"], "1"),
    Sample(["$type": "object"], []), Sample(["$keep": "x"], .null),
    Sample(["$matches": "^a$"], "b"), Sample(["$matches": "1"], 1),
    Sample(["$contains": "d"], "abc"), Sample(["$contains": 3], [1, 2]),
    Sample(["$contains": 1], 1), Sample(["$contains": ["id": "x"]], [["id": "y"]]),
    Sample(["$count": 1], []), Sample(["$count": 1], ["a": 1]),
    Sample(["$token": ["sub": "uid-2"]], .string(token)), Sample(["$token": [:]], "a.b.c"),
    Sample(["$token": [:]], "no token"), Sample(["$token": [:]], 1),
    Sample(["$json": ["a": 1]], "no JSON"), Sample(["$json": ["a": 1]], ["a": 1]),
    Sample(["$not": "a"], "a"), Sample(["$not": ["$type": "string"]], "a"),
    Sample(["$parameter": ["of": "mode"]], "https://a.example/x?other=1"),
    Sample(["$parameter": ["of": "mode"]], "no address"),
    Sample(["$parameter": ["of": "mode", "is": "a"]], "https://a.example/x?mode=b"),
    Sample(["$now": 5], 1_750_000_006), Sample(["$now": 5], "1749999994"),
    Sample(["$now": 5], "yesterday"), Sample(["$now": 5], "2025-06-15T15:06:46Z"),
    Sample(["$type": "string", "$matches": "^b"], "abc"),
  ]

  @Test(arguments: refused) func `refuse everything else`(_ sample: Sample) {
    var values = CaseValues([:])
    #expect(throws: Mismatch.self) { try match(sample.matcher, sample.value, &values) }
  }

  @Test func `a missing value is refused by all but one`() throws {
    for matcher: JSONValue in ["a", ["a": 1], [1], ["$type": "string"], ["$not": "a"]] {
      var values = CaseValues([:])
      #expect(throws: Mismatch.self) { try match(matcher, nil, &values) }
    }
    var values = CaseValues([:])
    try match(["$absent": true], nil, &values)
  }

  @Test func `kept values are filled in with their type, and inside of texts`() throws {
    var values = CaseValues([:])
    try match(
      ["id": ["$keep": "uid"], "level": ["$keep": "level"]], ["id": "u1", "level": 7], &values)
    try match(
      ["again": "${uid}", "number": "${level}", "text": "${uid}:${level}", "list": ["${uid}"]],
      ["again": "u1", "number": 7, "text": "u1:7", "list": ["u1"]], &values)
    try match(["${uid}": 1], ["u1": 1], &values)
    #expect(throws: Mismatch.self) { try match(["number": "${level}"], ["number": "7"], &values) }
  }

  @Test func `an answer may use a value that another of its members keeps`() throws {
    // The member that uses the value comes first in every order of names.
    for _ in 0..<20 {
      var values = CaseValues([:])
      try match(
        ["a": ["$token": ["sub": "${uid}"]], "b": ["$keep": "uid"]],
        ["a": .string(Self.token), "b": "uid-1"], &values)
    }
  }

  @Test func `groups of a pattern and parameters of an address are kept`() throws {
    var values = CaseValues(["project": "demo.x+1"])
    try match(
      ["$matches": "^projects/${project}/tenants/(?<tenant>[a-z]+)$"],
      "projects/demo.x+1/tenants/abc", &values)
    try match(
      ["$parameter": ["of": "oobCode", "keep": "code"]], "https://a.example/?oobCode=a%2Bb&x=1",
      &values)
    #expect(try values.filled("${tenant} ${code}") == "abc a+b")
    #expect(throws: Mismatch.self) {
      try match(["$matches": "^${project}$"], "demoxxx1", &values)
    }
  }

  @Test func `a value in $not is not kept, and one in $contains is that of the entry`() throws {
    var values = CaseValues([:])
    try match(["$not": ["id": ["$keep": "gone"], "x": 1]], ["id": "a"], &values)
    #expect(throws: Mismatch.self) { try values.filled("${gone}") }
    try match(
      ["$contains": ["name": "b", "id": ["$keep": "id"]]],
      [["id": "1", "name": "a"], ["id": "2", "name": "b"]], &values)
    #expect(try values.filled("${id}") == "2")
  }

  @Test func `a difference names its place`() throws {
    var values = CaseValues([:])
    let cases: [(JSONValue, JSONValue, String)] = [
      (["users": [["email": "a"]]], ["users": [["email": "b"]]], "users[0].email"),
      (
        ["idToken": ["$token": ["sub": "x"]]], ["idToken": .string(Self.token)],
        "idToken payload.sub"
      ),
      (["a": ["$json": ["b": 1]]], ["a": #"{"b":2}"#], "a JSON.b"),
      ("a", "b", ""),
    ]
    for (matcher, value, path) in cases {
      do {
        try match(matcher, value, &values)
        Issue.record("\(matcher.text) takes \(value.text)")
      } catch let mismatch as Mismatch {
        #expect(mismatch.path == path)
      }
    }
  }
}
