import Foundation

extension URLText {
  /// Returns the fields of a URL's query; nil if it has no query, or a name occurs twice and is therefore ambiguous.
  public static func query(of url: String) -> [String: String]? {
    URLComponents(string: url)?.percentEncodedQuery.flatMap { uniqueFields(of: $0) }
  }

  /// Returns the fields of a form or a query; nil if a name occurs twice and is therefore ambiguous.
  package static func uniqueFields(of form: String) -> [String: String]? {
    var fields: [String: String] = [:]
    for (name, value) in self.fields(of: form, omittingEmpty: false)
    where fields.updateValue(value, forKey: name) != nil {
      return nil
    }
    return fields
  }

  /// Returns the fields of a form or a query (`application/x-www-form-urlencoded`), in the order given.
  ///
  /// A plus is a space. A malformed escape, or one that is not UTF-8, is left as it is, except for plus signs. Empty
  /// fields between ampersands are skipped, unless `omittingEmpty` is false.
  package static func fields(
    of form: String, omittingEmpty: Bool = true
  ) -> [(name: String, value: String)] {
    fields(of: form, atMost: .max, omittingEmpty: omittingEmpty) ?? []
  }

  /// Returns the fields of a form or a query; nil if there are more than the limit.
  package static func fields(
    of form: String, atMost limit: Int, omittingEmpty: Bool = true
  ) -> [(name: String, value: String)]? {
    guard !form.isEmpty else { return [] }
    var form = form
    return form.withUTF8 { bytes in
      let parts = bytes.split(
        separator: UInt8(ascii: "&"), maxSplits: limit, omittingEmptySubsequences: omittingEmpty)
      guard parts.count <= limit else { return nil }
      return parts.map { pair in
        let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
        return (unescaped(pair[..<end]), unescaped(pair[end...].dropFirst()))
      }
    }
  }

  /// Returns the unescaped name of one field.
  package static func name(ofField field: Substring) -> String {
    var name = String(field.prefix { $0 != "=" })
    return name.withUTF8 { unescaped($0[...]) }
  }

  private static func unescaped(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    let text = UnsafeBufferPointer(rebasing: text)
    let isEncoded = text.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
    // The slice lies between ASCII characters of a valid text, and so is valid.
    guard isEncoded else { return String(decoding: text, as: UTF8.self) }
    return decoded(text).flatMap { String(validating: $0, as: UTF8.self) }
      ?? String(decoding: text, as: UTF8.self).replacing("+", with: " ")
  }

  private static func decoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard index + 2 < text.count, let high = text[index + 1].hexadecimalValue,
          let low = text[index + 2].hexadecimalValue
        else { return nil }
        decoded.append(high << 4 | low)
        index += 2
      default: decoded.append(text[index])
      }
      index += 1
    }
    return decoded
  }
}
