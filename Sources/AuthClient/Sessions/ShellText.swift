/// A text quoted for a shell, for remedies that can be pasted.
struct ShellText {
  private let text: String

  init(_ text: String) { self.text = text }

  var quoted: String {
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || "/._-+@".unicodeScalars.contains(scalar))
    }
    return isPlain ? text : "'\(text.replacing("'", with: "'\\''"))'"
  }
}
