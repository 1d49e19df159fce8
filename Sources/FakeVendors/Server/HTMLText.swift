import AuthCore

/// Writes text into the pages that a vendor shows to a browser.
enum HTMLText {
  /// Escapes text for use between tags and in a quoted attribute.
  static func escaped(_ text: String) -> String {
    text.replacing(bytes: ["&": "&amp;", "\"": "&quot;", "<": "&lt;", ">": "&gt;"])
  }
}
