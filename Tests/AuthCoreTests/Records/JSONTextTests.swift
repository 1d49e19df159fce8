import AuthTesting
import Foundation
import Testing

@testable import AuthCore

/// Our own writer gives the same text as Foundation's encoder.
@Suite struct JSONTextTests {
  private func encoded(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test func `any value is written as an encoder writes it`() throws {
    var generator = SeededGenerator(seed: 20_261_122)
    for _ in 0..<500 {
      let value = Self.value(depth: 4, &generator)
      let text = value.text
      let expected = try encoded(value)
      #expect(text == expected)
      #expect(try JSONValue(text: value.text) == value)
    }
  }

  @Test func `a number that JSON cannot say makes it null`() {
    #expect(JSONValue.object(["a": .number(.nan)]).text == "null")
    #expect(JSONValue.array([.number(.infinity)]).text == "null")
  }

  @Test func `formatted JSON equals JavaScript's`() {
    let value: JSONValue = ["b": [1, ["c": "d"]], "a": [:], "e": []]
    #expect(
      String(decoding: JSONWriter.bytes(of: value, spread: true), as: UTF8.self) == """
        {
          "a": {},
          "b": [
            1,
            {
              "c": "d"
            }
          ],
          "e": []
        }
        """)
  }

  @Test func `a trace is written as an encoder writes it`() throws {
    var trace = Trace()
    trace.note("rule", ["who": "ada \"the\" first", "nobody": nil, "where": "a/b\n"], "said\u{1}")
    trace.note("another", [:], "é")
    #expect(try trace.json == encoded(trace))
    #expect(try Trace().json == encoded(Trace()))
  }

  @Test func `letters are equally likely`() {
    let source = Source()
    let text = RandomText.text(62_000, alphabet: RandomText.base62) { source.next() }
    let counts = Dictionary(grouping: text.utf8, by: \.self).mapValues(\.count)
    #expect(counts.count == 62)
    // Five standard deviations of a fair draw.
    #expect(counts.values.allSatisfy { (840...1160).contains($0) })
  }

  private final class Source: @unchecked Sendable {
    private var generator = SeededGenerator(seed: 20_261_122)
    func next() -> UInt64 { generator.next() }
  }

  private static func value(depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .integer(Int64.random(in: .min ... .max, using: &generator))
    // Never a whole number, which would be read as an integer.
    case 3: return .number(Double.random(in: -1e6...1e6, using: &generator) + 0.123)
    case 4: return .string(text(&generator))
    case 5:
      return .array(
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          value(depth: depth - 1, &generator)
        })
    default:
      let count = Int.random(in: 0...4, using: &generator)
      let members = (0..<count).map { _ in
        (text(&generator), value(depth: depth - 1, &generator))
      }
      return .object(Dictionary(members) { first, _ in first })
    }
  }

  private static func text(_ generator: inout SeededGenerator) -> String {
    let scalars = (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in
      let bound: UInt32 = Bool.random(using: &generator) ? 0x80 : 0x1_F64F
      return Unicode.Scalar(UInt32.random(in: 0..<bound, using: &generator))
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
