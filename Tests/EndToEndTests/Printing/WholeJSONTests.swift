import Foundation
import Testing
import TestSupport

/// The output of `--json` is complete, or an error.
@Suite struct `Whole JSON` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func run(_ code: String) throws -> Program.Outcome {
    try Program.run(["console", "--json", "-e", code], in: folder)
  }

  private static func made(_ body: String) -> String {
    "(function() local t = {} \(body) return t end)()"
  }

  @Test func `C9: lists and records of any size are whole`() throws {
    let numbers = try run(Self.made("for i = 1, 250000 do t[i] = i end"))
    #expect(numbers.status == 0, "\(numbers.errors)")
    #expect(numbers.output == "[" + (1...250_000).map(String.init).joined(separator: ",") + "]\n")
    let rows = try run(
      Self.made(
        "for i = 1, 250000 do t[i] = { id = i, a = 'x', b = 'y', c = 1, d = 2, e = 3, f = true, g = i } end"
      ))
    #expect(rows.status == 0, "\(rows.errors)")
    #expect(rows.output.hasPrefix(#"[{"a":"x","b":"y","c":1,"d":2,"e":3,"f":true,"g":1,"id":1},"#))
    #expect(rows.output.hasSuffix(#""g":250000,"id":250000}]"# + "\n"))
    #expect(rows.output.utf8.count { $0 == UInt8(ascii: "{") } == 250_000)
    let long = try run("{ text = ('é'):rep(3000000) }")
    #expect(long.output.utf8.count == 6_000_012)
    let record = try run(Self.made("for i = 1, 100000 do t['k' .. i] = i end"))
    #expect(record.output.utf8.count { $0 == UInt8(ascii: ":") } == 100_000)
  }

  static let sayable: [(source: String, json: String)] = [
    ("nil", "null"), ("json.null", "null"), ("true", "true"), ("1", "1"), ("1.5", "1.5"),
    ("2.0", "2.0"),
    ("9007199254740993", "9007199254740993"), ("math.mininteger", "-9223372036854775808"),
    ("1e300", "1e+300"), ("-0.0", "-0.0"), ("'a\"b\\n'", #""a\"b\n""#),
    ("{ 1, 2, { 3 } }", "[1,2,[3]]"),
    ("{ b = 1, a = { c = 'x' } }", #"{"a":{"c":"x"},"b":1}"#), ("json.array()", "[]"),
    ("json.decode '[]'", "[]"), ("{ 1, json.null, 3 }", "[1,null,3]"),
    ("{ ['a b'] = 1 }", #"{"a b":1}"#),
    ("{ ['2023'] = 10 }", #"{"2023":10}"#), ("'\\u{202E}\\u{9b}'", "\"\u{202E}\u{9B}\""),
    (
      made("local r = t for i = 1, 40 do r.x = {} r = r.x end r.y = 1"),
      String(repeating: #"{"x":"#, count: 40) + #"{"y":1}"# + String(repeating: "}", count: 40)
    ),
    ("accounts.get('ada').uid", #""ada""#), ("{ a = { { 1, 2 } } }", #"{"a":[[1,2]]}"#),
  ]

  @Test func `C9: --json and json.encode write the same`() throws {
    try folder.lua("accounts.create { uid = 'ada', email = 'ada@example.com' }")
    for (source, json) in Self.sayable + [("accounts.get('ada')", ""), ("accounts.find()", "")] {
      let outcome = try run(source)
      let encoded = try folder.lua("print(json.encode(\(source)))")
      #expect(outcome.status == 0, "\(source): \(outcome.errors)")
      #expect(outcome.output == encoded + "\n", "\(source)")
      if !json.isEmpty { #expect(outcome.output == json + "\n", "\(source)") }
    }
    // An empty result is most often a list.
    #expect(try run("{}").output == "[]\n" && folder.lua("print(json.encode {})") == "{}")
    #expect(try run("accounts.find { email = 'nobody@example.com' }").output == "[]\n")
    #expect(try run("1, nil, 'x'").output == "1\nnull\n\"x\"\n")
    #expect(try run("local x = 1").output.isEmpty)
  }

  static let unsayable: [(source: String, words: String)] = [
    ("{[2023]=10,[2024]=20}", "result has the key 2023, a number"),
    ("{ [true] = 1 }", "result has a key that is a boolean"),
    ("{ a = { [1.5] = 1 } }", "result.a has the key 1.5"),
    ("{ 1, 2, x = 3 }", "result has both elements and names"),
    (made("t[1] = 1 t[3] = 3"), "result is a list without element 2"),
    ("{ nil, 2 }", "result is a list without element 1"),
    ("{ 1, nil, 3 }", "result is a list without element 2"),
    (made("t.a = { t }"), "result.a[1] contains itself"),
    (made("local r = t for i = 1, 70 do r.x = {} r = r.x end"), "is nested deeper than 64 levels"),
    ("0/0", "result is nan"), ("{ a = 1/0 }", "result.a is inf"), ("{ -1/0 }", "result[1] is -inf"),
    ("print", "result is a function"),
    ("{ 1, 2, { x = print } }", "result[3].x is a function; JSON has no form for it"),
    ("{ ['a b'] = function() end }", #"result["a b"] is a function"#),
    ("coroutine.create(print)", "result is a coroutine"),
    ("'\\xff'", "result has a byte that is no UTF-8"),
    ("{ name = 'a\\xc3(' }", "result.name has a byte that is no UTF-8"),
    ("'\\xed\\xa0\\x80'", "no UTF-8"), ("'\\xf4\\x90\\x80\\x80'", "no UTF-8"),
    ("'\\xc0\\x80'", "no UTF-8"),
    ("{ ['\\xff'] = 1 }", "no UTF-8"), ("accounts", "result is the object 'accounts'"),
    ("{ x = accounts.get }", "result.x is a function"),
    ("1, 2, print", "result 3 is a function"),
    ("1, { x = print }", "result 2.x is a function"),
  ]

  @Test func `C9: a value that JSON cannot express is an error with its place, and prints nothing`()
    throws
  {
    for (source, words) in Self.unsayable {
      let outcome = try run(source)
      #expect(
        outcome.status == 1 && outcome.output.isEmpty, "\(source): \(outcome.output.prefix(200))")
      let object =
        try JSONSerialization.jsonObject(with: Data(outcome.errors.utf8))
        as? [String: [String: Any]]
      let message = object?["error"]?["message"] as? String ?? ""
      #expect(message.contains(words), "\(source): \(outcome.errors)")
      guard !source.hasPrefix("1, ") else { continue }
      let encoded = try folder.run("json.encode((\(source)))")
      let same = words.replacing("result", with: "value")
      #expect(encoded.status == 1 && encoded.errors.contains(same), "\(source): \(encoded.errors)")
    }
  }

  @Test func `C9: a script that returns such a value fails as well`() throws {
    let file = try folder.write("bad.lua", "return 1, { f = print }")
    let outcome = try Program.run(["run", "--json", file], in: folder)
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("result 2.f is a function"))
  }
}
