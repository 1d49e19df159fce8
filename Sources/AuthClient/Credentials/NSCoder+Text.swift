import Foundation

extension NSCoder {
  /// Reads a text; nil if there is none.
  func text(_ key: String) -> String? {
    // Without this check, Foundation on Linux treats the archive as broken.
    guard containsValue(forKey: key) else { return nil }
    return decodeObject(of: NSString.self, forKey: key) as String?
  }

  /// Writes a text if there is one.
  func encode(text: String?, _ key: String) {
    guard let text else { return }
    encode(NSString(string: text), forKey: key)
  }
}
