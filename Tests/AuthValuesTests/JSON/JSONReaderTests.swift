import AuthTesting
import Foundation
import Testing

@testable import AuthValues

@Suite struct JSONReaderTests {
  private func read(_ text: String) -> JSONValue? {
    try? JSONValue(strict: Array(text.utf8))
  }

  private func foundation(_ text: String) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
  }

  @Test func `values are read as they are written`() {
    let values: [(String, JSONValue)] = [
      ("null", nil as JSONValue? ?? .null), (" true ", true), ("false", false), ("0", 0),
      ("-1", -1), ("9223372036854775807", .integer(.max)), ("1.5", .number(1.5)),
      ("1e2", 100), ("-2.50e1", -25), ("1e17", .number(1e17)),
      ("9223372036854775808", .number(9_223_372_036_854_775_808)),
      ("\"\"", ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e9""#, "é"),
      (#""\ud83d\ude00""#, "😀"), ("\"é😀\"", "é😀"), (#""a\u0041b""#, "aAb"), ("[]", []),
      ("{}", [:]), ("[1, [2], {}]", [1, [2], [:]]),
      (#"{"a":{"b":[]},"c":1}"#, ["a": ["b": []], "c": 1]),
    ]
    for (text, value) in values { #expect(read(text) == value, "\(text)") }
  }

  @Test func `text that is not exactly one JSON value is refused`() {
    let texts = [
      "", " ", "nul", "True", "01", "+1", ".5", "1.", "1e", "-", "0x1", "NaN", "Infinity", "1e999",
      "\"", "\"\n\"", #""\x""#, #""\u12""#, #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#,
      "[1,]", "[1 2]", "[", "{\"a\"}", "{\"a\":1,}", "{a:1}", "{} {}", "1 2", "\u{feff}{}",
      "// x\n1",
      #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, "{\"\u{e9}\":1,\"e\u{301}\":2}",
      #"{"x":{"a":1,"a":1}}"#,
      String(repeating: "[", count: 40) + String(repeating: "]", count: 40),
    ]
    for text in texts { #expect(read(text) == nil, "\(text)") }
    #expect((try? JSONValue(strict: [0x22, 0xFF, 0x22])) == nil)
    #expect((try? JSONValue(strict: [0x22, 0xC0, 0x80, 0x22])) == nil)
    #expect((try? JSONValue(strict: [0x22, 0x5C, 0x6E, 0xED, 0xA0, 0x80, 0x22])) == nil)
  }

  @Test func `the first of two members of one name counts outside of tokens`()
    throws
  {
    let repeated = #"{"a":1,"\u0061":2,"b":{"c":1,"c":null}}"#
    #expect(try JSONValue(text: repeated) == ["a": 1, "b": ["c": 1]])
    #expect(try foundation(repeated) == ["a": 1, "b": ["c": 1]])
    #expect(try JSONValue(text: "\u{FEFF}[1]") == [1])
    let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    #expect((try? JSONValue(text: deep)) != nil)
    #expect((try? JSONValue(text: "[\(String(repeating: "[", count: 5_000_000))")) == nil)
  }

  @Test func `a failure has the offset of the fault`() {
    #expect { try JSONValue(text: "{\"a\": [1, 02]}") } throws: { error in
      "\(error)" == "It stops being good JSON at byte 11."
    }
  }

  /// Bytes are examined eight at a time, so each position in a group is tested.
  @Test func `a text is read and written alike with a special character at any place`() throws {
    for length in 1...20 {
      for place in 0..<length {
        for special in ["\"", "\\", "\u{0}", "\u{1f}", "\n", "\u{7f}", "é", "\u{ff}", "😀", " "] {
          let text =
            String(repeating: "a", count: place) + special
            + String(repeating: "b", count: length - place - 1)
          let written = JSONValue.string(text).text
          #expect(try foundation(written) == .string(text))
          #expect(read(written) == .string(text))
          let isPlain = !["\"", "\\"].contains(special) && special >= " "
          #expect((read("\"\(text)\"") == .string(text)) == isPlain, "\(length) \(place)")
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `values that are read equal those that Foundation reads`(seed: UInt64) throws {
    let text =
      #"{"iss":"https://a.example","n":[1,-2.5e3,0],"t":true,"e":"\u00e9\n😀","o":{"x":null}}"#
    let alphabet = Array("\"\\{}[],:0159eE.-+utfn \t".utf8)
    var random = SeededGenerator(seed: seed)
    var read = 0
    for _ in 0..<2000 {
      var bytes = Array(text.utf8)
      let place = Int.random(in: bytes.indices, using: &random)
      bytes[place] = alphabet[Int.random(in: alphabet.indices, using: &random)]
      guard let value = try? JSONValue(strict: bytes) else { continue }
      read += 1
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(try foundation(text) == value, "seed \(seed): \(text)")
      #expect(try JSONValue(text: text) == value, "seed \(seed): \(text)")
    }
    #expect(read > 100)
  }
}
