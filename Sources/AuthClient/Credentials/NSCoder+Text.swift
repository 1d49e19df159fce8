import Foundation

extension NSCoder {
  /// Reads a text; nil where there is none.
  func text(_ key: String) -> String? {
    // Asked for what is not there, Foundation on Linux takes the whole archive for a broken one.
    guard containsValue(forKey: key) else { return nil }
    return decodeObject(of: NSString.self, forKey: key) as String?
  }

  /// Writes a text, where there is one.
  func encode(text: String?, _ key: String) {
    guard let text else { return }
    encode(NSString(string: text), forKey: key)
  }
}
