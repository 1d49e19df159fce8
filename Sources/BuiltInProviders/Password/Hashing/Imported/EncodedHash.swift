public import AuthCore
import Foundation

/// A password hash as the text that other systems store, with everything that verifies it.
///
/// Texts of PHC (`$argon2id$v=19$m=…`), of crypt's bcrypt, of Ory Kratos, of Supabase, and of LDAP are read. The parts
/// are those of a record: hash and salt in base64, and the parameters under the names of
/// ``PasswordHashParameters/optionNames``.
public struct EncodedHash: Hashable, Sendable {
  /// The hash, in base64.
  public let hash: String
  /// The salt, in base64; nil if the hash has none or contains it.
  public let salt: String?
  /// The parameters, by the names of options.
  public let parameters: [String: JSONValue]

  /// Reads a text; throws `malformed-hash` or `unknown-parameters` without the hash in the message.
  public init(_ text: String) throws(PasswordHasherError) {
    if text.wholeMatch(of: /\$2[abxy]\$[0-9]{2}\$.{53}/) != nil {
      self.init(Array(text.utf8), salt: nil, by: "BCRYPT")
    } else if text.hasPrefix("{") {
      self = try Self.directory(text)
    } else {
      self = try EncodedHashParts(text).encodedHash()
    }
  }

  init(
    _ hash: [UInt8], salt: [UInt8]?, by algorithm: String, _ further: [String: JSONValue] = [:]
  ) {
    self.hash = Base64.standard.text(hash)
    self.salt = salt.map { Base64.standard.text($0) }
    parameters = further.merging(["hash-algo": .string(algorithm)]) { $1 }
  }

  /// Reads `{SSHA512}…`: base64 of the digest and the salt behind it (RFC 2307).
  private static func directory(_ text: String) throws(PasswordHasherError) -> EncodedHash {
    guard let match = text.wholeMatch(of: /\{(S?)(MD5|SHA|SHA256|SHA512)\}([^{}]+)/.ignoresCase()),
      let bytes = Base64.bytes(lenient: match.3.utf8)
    else { throw .unknownScheme(text) }
    let name = match.2.uppercased() == "SHA" ? "SHA1" : match.2.uppercased()
    let length = ["MD5": 16, "SHA1": 20, "SHA256": 32][name] ?? 64
    guard bytes.count >= length, !match.1.isEmpty || bytes.count == length else {
      throw .malformed("The digest of the hash is too short.")
    }
    return EncodedHash(
      Array(bytes.prefix(length)), salt: match.1.isEmpty ? nil : Array(bytes.dropFirst(length)),
      by: name,
      ["rounds": 1, "hash-input-order": "PASSWORD_FIRST"])
  }
}

extension PasswordHasherError {
  /// The error of a hash that cannot be verified here; it names the scheme, and nothing of the hash.
  static func unknownScheme(_ text: String) -> PasswordHasherError {
    let name = text.split(whereSeparator: { "${}".contains($0) }).first.map(String.init) ?? ""
    let isName =
      (1...24).contains(name.utf8.count)
      && name.utf8.allSatisfy { $0 == UInt8(ascii: "-") || UInt8(ascii: "0")...0x7A ~= $0 }
    return PasswordHasherError(
      code: .unknownParameters,
      message: isName && "${".contains(text.prefix(1))
        ? "Passwords hashed with \"\(name)\" cannot be checked here."
        : "The password hash has no form that is known here.",
      remedy: "Import the account without its hash; its password can be asked for or reset.")
  }
}
