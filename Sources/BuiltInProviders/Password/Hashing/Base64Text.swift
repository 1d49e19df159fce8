import Foundation

/// Reads base64 in both alphabets, with or without padding.
///
/// Files of Firebase's command line hold the standard alphabet and its REST interface the web-safe one.
enum Base64Text {
  static func bytes(of text: String) -> [UInt8]? {
    var standard = text.replacing("-", with: "+").replacing("_", with: "/")
    while standard.hasSuffix("=") { standard.removeLast() }
    guard standard.utf8.count % 4 != 1 else { return nil }
    standard += String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    return Data(base64Encoded: standard).map(Array.init)
  }

  /// Writes base64 without padding, as a PHC string holds it.
  static func unpadded(_ bytes: [UInt8]) -> String {
    String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
  }
}
