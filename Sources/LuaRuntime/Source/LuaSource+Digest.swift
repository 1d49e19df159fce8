import AuthValues
import Crypto

extension LuaSource {
  /// Returns the SHA-256 of a script's text, in 64 hexadecimal digits.
  public static func digest(of text: String) -> String {
    Array(SHA256.hash(data: Array(text.utf8))).hexadecimal
  }
}
