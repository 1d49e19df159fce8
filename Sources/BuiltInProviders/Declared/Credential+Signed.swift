import AuthCore

/// The fields of a credential that a vendor signed in a form of its own.
extension Credential {
  /// Returns the bytes of a field in base64 of either alphabet.
  func bytes(_ field: String) throws(AuthError) -> [UInt8] {
    guard let bytes = Base64.bytes(ofEither: try required(field)) else {
      throw refused("The \(field) is not base64.", field)
    }
    return bytes
  }

  /// Returns a field with a time in milliseconds, which is at most some seconds ago and a minute ahead.
  func recentTime(_ field: String, seconds: Int64, now: Timestamp) throws(AuthError) -> Timestamp {
    let text = try required(field)
    guard let number = Int64(text), String(number) == text else {
      throw refused("The \(field) is no number of milliseconds.", field)
    }
    let time = Timestamp(milliseconds: number)
    guard now.adding(seconds: -seconds) <= time, time <= now.adding(seconds: 60) else {
      throw refused("The \(field) is too long ago, or in the future.", field)
    }
    return time
  }

  /// Returns a field with the address of a file on one server, whose name is compared exactly.
  ///
  /// The path may consist of four plain names, so that it has neither `..` nor a query.
  func address(
    _ field: String, on server: String, suffix: String
  ) throws(AuthError) -> String {
    let url = try required(field)
    let server = server.hasSuffix("/") ? String(server.dropLast()) : server
    // By bytes: a combining character after the server's name would belong to its last letter.
    let path = String(decoding: url.utf8.dropFirst(server.utf8.count), as: UTF8.self)
    let names = /(\/[A-Za-z0-9_\-][A-Za-z0-9._\-]{0,99}){1,4}/
    guard url.utf8.starts(with: server.utf8), path.hasSuffix(suffix),
      path.wholeMatch(of: names) != nil
    else { throw refused("The \(field) is no address of a \(suffix) file on \(server).", field) }
    return url
  }

  /// The error for a field that the vendor did not sign so.
  func refused(_ message: String, _ field: String) -> AuthError {
    AuthError(
      .invalidCredential, message, field: field,
      remedy: "Get a new signature from the provider, and pass its fields on as they are.",
      step: .token)
  }
}
