import LuaRuntime
import Testing

@Suite struct LibraryTests {
  let state: LuaState
  init() throws {
    state = try LuaState(
      profile: .policy, configuration: .init(clock: { 1_700_000_000_123 }, randomSeed: 7))
  }

  @Test(
    arguments: [
      ("json.encode({1, 'a', true, json.null, {x = 1.5}})", #"[1,"a",true,null,{"x":1.5}]"#),
      ("json.encode({})", "{}"), ("json.encode(json.array())", "[]"),
      ("json.encode(json.decode '[]')", "[]"),
      ("json.encode('\\\"\\\\\\n\\1é')", #""\"\\\n\u0001é""#),
      ("json.encode(9007199254740993)", "9007199254740993"), ("json.encode(0.1)", "0.1"),
      ("json.encode(1e300)", "1e+300"), ("json.encode(2.0)", "2.0"),
    ])
  func `json is written`(source: String, expected: String) throws {
    #expect(try evaluate(state, "return " + source) == [.string(expected)])
  }

  @Test func `json is read`() throws {
    let text = #"{"id": 9007199254740993, "big": 1e2, "no": null, "s": "\u00e9\ud83d\ude00\/"}"#
    let source = "local v = json.decode(...) return v.id, v.big, v.no == json.null, v.s"

    #expect(
      try evaluate(state, source, [.string(text)])
        == [.integer(9_007_199_254_740_993), .number(100), true, "é😀/"])
  }

  @Test(
    arguments: [
      "", "{", "[1,]", "{\"a\"}", "01", "1.", "\"\\x\"", "\"\\ud800\"", "nul", "[1] x", "\"a",
      "\u{1}",
      String(repeating: "[", count: 100_000), "{\"a\":1,}", "+1", "NaN", "'a'",
    ])
  func `bad json is refused`(text: String) throws {
    let result = try evaluate(state, "return pcall(json.decode, ...)", [.string(text)])

    #expect(result[0] == false)
    #expect(result[1].stringValue?.hasPrefix("json: ") == true)
  }

  @Test(arguments: ["function() end", "0/0", "{[1.5] = 1}", "{1, x = 2}"])
  func `a value that json cannot express is refused`(source: String) throws {
    #expect(try evaluate(state, "return pcall(json.encode, \(source))")[0] == false)
  }

  @Test func `a cycle is not written`() throws {
    #expect(
      try evaluate(state, "local t = {} t[1] = t return pcall(json.encode, t)")[0] == false)
  }

  @Test func `time comes from the host`() throws {
    #expect(
      try evaluate(state, "return time.now(), time.format(time.now()), time.format(-1)")
        == [1_700_000_000_123, "2023-11-14T22:13:20.123Z", "1969-12-31T23:59:59.999Z"])
  }

  @Test(
    arguments: [
      ("2023-11-14T22:13:20.123Z", 1_700_000_000_123),
      ("2023-11-15T00:13:20+02:00", 1_700_000_000_000),
      ("1969-12-31T23:59:59.999Z", -1), ("2024-02-29T00:00:00Z", 1_709_164_800_000),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000),
    ])
  func `a timestamp is read and written`(text: String, time: Int64) throws {
    let result = try evaluate(
      state, "local t = time.parse(...) return t, time.parse(time.format(t))", [.string(text)])

    #expect(result == [.integer(time), .integer(time)])
  }

  @Test(
    arguments: [
      "2023-02-29T00:00:00Z", "2023-11-14", "2023-11-14T24:00:00Z", "2023-11-14T22:13:20", "x",
      "2023-13-01T00:00:00Z", "2023-11-14T22:13:20.Z", "2023-11-14T22:13:20Z ",
    ])
  func `a bad timestamp is nil`(text: String) throws {
    #expect(try evaluate(state, "return time.parse(...)", [.string(text)]) == [nil])
  }

  @Test func `digests are right`() throws {
    let source = """
      return hash.sha256 'abc', hash.sha256('', 'base64'),
        hash.hmac('sha256', 'key', 'The quick brown fox jumps over the lazy dog'),
        #hash.sha512 'abc'
      """

    #expect(
      try evaluate(state, source) == [
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8", 128,
      ])
  }

  @Test func `digests for protocols that demand them are right`() throws {
    let source = """
      return hash.sha1 'abc', hash.md5 '', hash.md5('abc', 'base64'),
        hash.hmac('sha1', 'key', 'The quick brown fox jumps over the lazy dog'),
        hash.hmac('md5', 'key', 'The quick brown fox jumps over the lazy dog'),
        pcall(hash.hmac, 'sha3', 'key', 'text')
      """

    #expect(
      try evaluate(state, source).prefix(6) == [
        "a9993e364706816aba3e25717850c26c9cd0d89d", "d41d8cd98f00b204e9800998ecf8427e",
        "kAFQmDzST7DWlj99KOF/cg==", "de7c9b85b8b78aa6bc8a7a36f70a90701c9db4d9",
        "80070713463e7749b90c2dc24911e275", false,
      ])
  }

  @Test(
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("foobar", "Zm9vYmFy"),
    ])
  func `base64 follows its standard`(plain: String, encoded: String) throws {
    let source = "return base64.encode((...)), base64.decode(base64.encode((...)))"

    #expect(
      try evaluate(state, source, [.string(plain)]) == [
        .string(encoded), plain.isEmpty ? .string("") : .string(plain),
      ])
  }

  @Test func `base64 for urls has its own letters`() throws {
    #expect(
      try evaluate(
        state, "return base64.encodeURL('\\xfb\\xff'), base64.decodeURL('-_8') == '\\xfb\\xff'")
        == ["-_8", true])
    #expect(try evaluate(state, "return base64.decode('Zh==')")[0] == nil)
    #expect(try evaluate(state, "return base64.decode('Z')")[0] == nil)
  }

  @Test func `log reaches the host with its place`() throws {
    var records: [LuaLogRecord] = []
    let state = try LuaState(profile: .policy, configuration: .init(log: { records.append($0) }))

    try evaluate(state, "\nlog.warn 'careful'")

    #expect(records.map(\.message) == ["careful"])
    #expect(records.first?.level == .warn)
    #expect(records.first?.script == "test:2")
  }

  @Test func `the same seed gives the same numbers`() throws {
    func numbers(_ seed: UInt64) throws -> [LuaValue] {
      let state = try LuaState(profile: .policy, configuration: .init(randomSeed: seed))
      return try evaluate(state, "return math.random(1000), math.random(1000), math.random(1000)")
    }

    #expect(try numbers(1) == numbers(1))
    #expect(try numbers(1) != numbers(2))
  }
}
