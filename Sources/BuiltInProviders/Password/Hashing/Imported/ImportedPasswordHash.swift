import AuthCore

/// A password hash made by another system, with the name of its parameters.
///
/// Salt and hash stay the base64 text of the import, so that an export returns it unchanged.
public struct ImportedPasswordHash: Hashable, Sendable {
  /// The name of the parameters, as ``PasswordHashParameters/id`` returns it.
  public let parameterSetID: String
  /// The salt, in base64.
  public let salt: String
  /// The hash, in base64.
  public let hash: String

  /// Takes the texts of an import; throws `malformed-hash` unless both are base64.
  public init(
    parameterSetID: String, salt: String, hash: String
  ) throws(PasswordHasherError) {
    guard parameterSetID.utf8.count == 16, parameterSetID.utf8.allSatisfy(\.isLowercaseHexDigit)
    else { throw .malformed("The name of the hash parameters is not 16 hex digits.") }
    guard Base64.bytes(lenient: salt.utf8) != nil else {
      throw .malformed("The salt is not base64.")
    }
    guard let bytes = Base64.bytes(lenient: hash.utf8), !bytes.isEmpty else {
      throw hash.hasPrefix("$")
        ? .malformed(
          "The password hash is not base64 but the text itself, such as of bcrypt.",
          remedy: "Encode the text in base64, as files of Firebase have it, and import it again.")
        : .malformed("The password hash is not base64.")
    }
    self.parameterSetID = parameterSetID
    self.salt = salt
    self.hash = hash
  }

  /// Takes the texts of an import and checks that the algorithm could have made them.
  ///
  /// An import calls this, so that it reports a bad hash instead of the account's next sign-in.
  public init(
    salt: String, hash: String, parameters: PasswordHashParameters
  ) throws(PasswordHasherError) {
    try self.init(parameterSetID: parameters.id, salt: salt, hash: hash)
    _ = try LegacyHash(self, parameters)
  }

  /// Parses a stored text; nil if it is not an imported hash.
  public init?(parsing encoded: String) {
    // Most stored hashes are AuthGraph's own, and every record of an account is parsed.
    guard encoded.utf8.starts(with: Self.beginning) else { return nil }
    let parts = encoded.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == Self.scheme else { return nil }
    do {
      try self.init(parameterSetID: parts[2], salt: parts[3], hash: parts[4])
    } catch {
      return nil
    }
  }

  /// Gives the text to store: `$firebase$<parameters>$<salt>$<hash>`.
  public var encoded: String { "$\(Self.scheme)$\(parameterSetID)$\(salt)$\(hash)" }

  private static let scheme = "firebase"
  private static let beginning = Array("$\(scheme)$".utf8)
}

extension UInt8 {
  fileprivate var isLowercaseHexDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
  }
}
