import Foundation

/// Base64 as tokens and keys have it: the URL-safe alphabet without padding (RFC 7515 section 2).
package enum Base64URL {
  /// The bytes that a text stands for, or nil where it is not the one way to write them.
  ///
  /// Unused bits have to be zero; otherwise one token had several spellings.
  package static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
    // A loop over the generic collection costs more than checking a signature.
    text.withContiguousStorageIfAvailable(decode) ?? Array(text).withUnsafeBufferPointer(decode)
  }

  private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    let values = values
    var isValid = true
    let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 2) { output, count in
      var buffer: UInt32 = 0
      var bits: UInt32 = 0
      for character in text {
        let value = values[Int(character)]
        isValid = isValid && value < 64
        buffer = buffer << 6 | UInt32(value)
        bits += 6
        guard bits >= 8 else { continue }
        bits -= 8
        output[count] = UInt8(truncatingIfNeeded: buffer >> bits)
        count += 1
      }
      isValid = isValid && buffer & ((1 << bits) - 1) == 0
    }
    return isValid ? bytes : nil
  }

  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// The value of each character; 255 for those that are not in the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for (value, character) in alphabet.utf8.enumerated() {
      values[Int(character)] = UInt8(value)
    }
    return values
  }()
}
