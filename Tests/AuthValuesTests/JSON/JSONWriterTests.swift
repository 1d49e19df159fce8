import Foundation
import Testing

@testable import AuthValues

struct JSONWriterTests {
  @Test(arguments: [0, 1, -1, 9, 10, -10, 100, 1_234_567_890, .max, .min])
  func `a whole number is written as it is`(_ number: Int64) {
    #expect(JSONValue.integer(number).text == "\(number)")
  }

  /// The capacity starts at 512 bytes and doubles.
  @Test(arguments: [0, 1, 509, 510, 511, 512, 513, 1023, 1024, 1025, 70_000])
  func `texts of every length are whole`(_ length: Int) {
    let text = String(repeating: "x", count: length)
    #expect(JSONValue.string(text).text == "\"\(text)\"")
    // Escapes are written byte by byte.
    let quotes = String(repeating: "\"", count: length)
    #expect(
      JSONValue.string(quotes).text == "\"\(String(repeating: "\\\"", count: length))\"")
    let many = JSONValue.array(Array(repeating: "é", count: length))
    #expect((try? JSONValue(text: many.text)) == many)
  }

  @Test func `a value that JSON cannot express takes its whole record back`() {
    struct Record: JSONRecord {
      func writeMembers(_ writer: inout JSONWriter) {
        writer.member("a", ["b": ["c": [1, .number(.infinity)]]])
        writer.member("d", 1 as Int64)
      }
    }
    var writer = JSONWriter(spread: true)
    writer.object(Record().writeMembers)
    #expect(
      String(decoding: writer.bytes(), as: UTF8.self) == """
        {
          "a": null,
          "d": 1
        }
        """)
  }

  @Test func `taken bytes do not come again`() {
    var writer = JSONWriter()
    writer.sign("[1")
    #expect(writer.takeBytes() == Array("[1".utf8))
    #expect(writer.count == 0)
    writer.sign(",2]")
    #expect(writer.takeBytes() == Array(",2]".utf8))
  }
}
