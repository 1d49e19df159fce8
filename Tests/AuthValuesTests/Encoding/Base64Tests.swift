import AuthValues
import Foundation
import Testing

@Suite struct Base64Tests {
  @Test func `base64url has one spelling`() {
    for text in ["", "AA", "AAA", "AAAA", "-_-_", "Zm9v"] {
      let bytes = Base64.url.bytes(of: text.utf8)
      #expect(bytes.map(Base64.url.text) == text)
    }
    for text in ["A", "AB", "AAB", "AA==", "AA=", "+/+/", "A A", "AAAAA", "é"] {
      #expect(Base64.url.bytes(of: text.utf8) == nil, "\(text)")
    }
  }

  @Test func `base64url is Foundation's base64 in another alphabet, at every length and place`() {
    let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    for length in 0...12 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 89 + 251) }
      let plain = Data(bytes).base64EncodedString().filter { $0 != "=" }
      let text = Array(plain.replacing("+", with: "-").replacing("/", with: "_").utf8)
      #expect(Base64.url.bytes(of: text) == bytes)
      #expect(Array(Base64.url.text(bytes).utf8) == text)
      for place in text.indices {
        for character in UInt8.min...UInt8.max where character != text[place] {
          var other = text
          other[place] = character
          let read = Base64.url.bytes(of: other)
          // Another character gives another value, or nil if it is outside the alphabet or sets unused bits.
          #expect(read != bytes)
          if !alphabet.contains(character) { #expect(read == nil) }
          #expect(read.map { Array(Base64.url.text($0).utf8) == other } ?? true)
        }
      }
    }
  }

  @Test func `the standard alphabet is written as Foundation writes it`() {
    for length in 0...12 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 89 + 251) }
      let text = Data(bytes).base64EncodedString()
      #expect(Base64.standard.text(bytes) == text)
      #expect(Base64.standard.unpaddedText(bytes) == text.filter { $0 != "=" })
    }
  }

  @Test(arguments: [("AA==", "AA"), ("AAA=", "AAA"), ("AAAA", "AAAA"), ("", "")])
  func `padding is taken if a reader allows it, and then all of it or none`(
    padded: String, plain: String
  ) {
    for base64 in [Base64.standard, .url] {
      let bytes = base64.bytes(of: plain.utf8)
      #expect(bytes != nil)
      #expect(base64.bytes(of: padded.utf8, padding: .optional) == bytes)
      #expect(base64.bytes(of: plain.utf8, padding: .optional) == bytes)
    }
  }

  @Test(arguments: ["AA=", "AAAA=", "AAA==", "=", "====", "A===", "AB==", "A=A="])
  func `other padding is refused`(text: String) {
    #expect(Base64.standard.bytes(of: text.utf8, padding: .optional) == nil)
    #expect(Base64.bytes(ofEither: text) == nil)
  }

  @Test func `either alphabet is read, and both together only by the lenient reader`() {
    #expect(Base64.bytes(ofEither: "+/+/") == Base64.bytes(ofEither: "-_-_"))
    #expect(Base64.bytes(ofEither: "+/-_") == nil)
    #expect(Base64.bytes(lenient: "+/-_".utf8) == [0xFB, 0xFF, 0xBF])
  }

  @Test func `the lenient reader forgives padding and unused bits, and nothing else`() {
    for text in ["AA", "AA=", "AA==", "AA===", "AB"] {
      #expect(Base64.bytes(lenient: text.utf8) == [0], "\(text)")
    }
    for text in ["A", "A=A=", "A A", "AAA!", "é"] {
      #expect(Base64.bytes(lenient: text.utf8) == nil, "\(text)")
    }
  }
}
