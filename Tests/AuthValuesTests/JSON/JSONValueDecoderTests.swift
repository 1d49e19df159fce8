import Foundation
import Testing

@testable import AuthValues

@Suite struct `Records from parsed JSON` {
  private enum Choice: Codable, Hashable {
    case plain
    case number(Int)
  }

  private enum Word: String, Codable, Hashable { case one, two }

  private struct Inner: Codable, Hashable {
    var flags: [Bool]
    var word: Word?
  }

  private struct Record: Codable, Hashable {
    var text: String
    var missing: String?
    var count: Int
    var small: UInt8
    var long: Int64
    var part: Double
    var whole: Double
    var choices: [Choice]
    var inner: [String: Inner]
    var any: JSONValue
    var id: AccountID
    var nested: [[Int]]
  }

  private static let record = Record(
    text: "é \u{0} \"", missing: nil, count: -4, small: 255, long: .max, part: 1.5, whole: 3,
    choices: [.plain, .number(7)],
    inner: ["a": Inner(flags: [true, false], word: .two), "b": Inner(flags: [], word: nil)],
    any: ["x": [1, "y", .null, true, .number(0.5)]], id: AccountID("ada"), nested: [[1, 2], []])

  @Test func `a record is read as Foundation's decoder reads it`() throws {
    let data = try JSONEncoder().encode(Self.record)
    let text = String(decoding: data, as: UTF8.self)

    let read: Record = try JSONValue(text: text).decoded()

    #expect(read == Self.record)
    #expect(try read == JSONDecoder().decode(Record.self, from: data))
  }

  @Test(arguments: [
    #"{"flags":[true],"word":"three"}"#, #"{"flags":[1]}"#, #"{"flags":true}"#, "{}", "[]", "null",
    #"{"flags":["true"]}"#, #"{"flags":[true],"word":2}"#,
  ])
  func `a value of another type is an error`(_ text: String) throws {
    let value = try JSONValue(text: text)
    #expect(throws: DecodingError.self) { try value.decoded(as: Inner.self) }
  }

  @Test(arguments: ["256", "-1", "1.5", "\"1\"", "true"])
  func `a number that does not fit is an error`(_ text: String) throws {
    let value = try JSONValue(text: text)
    #expect(throws: DecodingError.self) { try value.decoded(as: UInt8.self) }
  }
}
