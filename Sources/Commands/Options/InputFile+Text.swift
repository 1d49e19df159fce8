import AuthCore
import LuaPlugins
import LuaRuntime

extension InputFile {
  /// The maximum size in bytes, far more than is written by hand.
  private static let mostBytes = 1 << 20

  /// Returns the UTF-8 text of a file, a pipe or standard input, with LF as its line ends.
  ///
  /// Throws `invalid-argument` if it cannot be read, with the line and the byte if it is not UTF-8, and with the limit
  /// if it is longer than 1 MiB.
  static func text(of path: String, field: String) throws(AuthError) -> String {
    let bytes: [UInt8]
    do {
      bytes = try self.bytes(of: path, atMost: mostBytes)
    } catch {
      throw AuthError(
        .invalidArgument, "The file \(path) cannot be read: \(error.reason).", field: field,
        remedy: "Check the path and its permissions.", cause: error)
    }
    guard bytes.count <= mostBytes else {
      throw AuthError(
        .invalidArgument, "The file \(path) has more than 1 MiB (\(mostBytes) bytes).",
        field: field,
        remedy: "Name another file.")
    }
    do {
      return try InputText.text(of: bytes)
    } catch {
      throw AuthError(error, in: path, field: field)
    }
  }
}
