import Foundation
import Testing

@testable import BuiltInProviders

@Suite struct Base64URLTests {
  @Test func `base64url has one spelling`() {
    for text in ["", "AA", "AAA", "AAAA", "-_-_", "Zm9v"] {
      let bytes = Base64URL.bytes(of: text.utf8)
      #expect(bytes.map(Base64URL.text) == text)
    }
    for text in ["A", "AB", "AAB", "AA==", "AA=", "+/+/", "A A", "AAAAA", "é"] {
      #expect(Base64URL.bytes(of: text.utf8) == nil, "\(text)")
    }
  }

  @Test func `base64url is Foundation's base64 in another alphabet, at every length and place`() {
    let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    for length in 0...12 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 89 + 251) }
      let plain = Data(bytes).base64EncodedString().filter { $0 != "=" }
      let text = Array(plain.replacing("+", with: "-").replacing("/", with: "_").utf8)
      #expect(Base64URL.bytes(of: text) == bytes)
      #expect(Array(Base64URL.text(bytes).utf8) == text)
      for place in text.indices {
        for character in UInt8.min...UInt8.max where character != text[place] {
          var other = text
          other[place] = character
          let read = Base64URL.bytes(of: other)
          // Another character is another value, or none: one that is not in the alphabet, or has bits to spare.
          #expect(read != bytes)
          if !alphabet.contains(character) { #expect(read == nil) }
          #expect(read.map { Array(Base64URL.text($0).utf8) == other } ?? true)
        }
      }
    }
  }
}
