import AdminConsole
import AuthCore
import Foundation

/// The text of an admin's token, from a file or the environment.
enum AdminTokenText {
  /// Returns the token in a file.
  ///
  /// Throws `invalid-argument` for a file that cannot be read, that others can read, or that holds no token.
  static func contents(of path: String, field: String) throws(AuthError) -> Secret<String> {
    let bytes: [UInt8]
    do throws(InputFile.Unreadable) {
      bytes = try InputFile.bytes(of: path, atMost: 64 << 10)
    } catch {
      throw AuthError(
        .invalidArgument, "The file \(path) cannot be read: \(error.reason).", field: field,
        remedy: "Check the path and its permissions.", cause: error)
    }
    guard !SecretFile.isOpenToOthers(path) else {
      throw AuthError(
        .invalidArgument, "Other users can read the token in \(path).", field: field,
        remedy: "Keep it to yourself: chmod 600 \(path)")
    }
    return try checked(String(decoding: bytes, as: UTF8.self), of: path, field: field)
  }

  /// Returns a token without the space around it; throws `invalid-argument` if it is none.
  static func checked(
    _ text: String, of path: String? = nil, field: String
  ) throws(AuthError) -> Secret<String> {
    let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !token.isEmpty else {
      throw AuthError(
        .invalidArgument, path.map { "The file \($0) is empty." } ?? "There is no admin token.",
        field: field,
        remedy: path.map { _ in "Put a token of authgraph admin-token new into it." }
          ?? "Make one on the server with authgraph admin-token new --scope console:read, and give it "
          + "with --\(field) FILE or in AUTHGRAPH_TOKEN.")
    }
    guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw AuthError(
        .invalidArgument, "The admin token is more than one word.", field: field,
        remedy: "Put the token alone into the file.")
    }
    return Secret(token)
  }
}
