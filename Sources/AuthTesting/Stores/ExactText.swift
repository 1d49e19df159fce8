import AuthCore

/// A text compared byte for byte, as a database compares it.
///
/// `String` considers composed and decomposed letters equal, but two subjects that differ in that belong to two
/// people.
struct ExactText: Hashable, Comparable, Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (a: ExactText, b: ExactText) -> Bool {
    a.text.isExactly(b.text)
  }

  static func < (a: ExactText, b: ExactText) -> Bool {
    a.text.precedesExactly(b.text)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
