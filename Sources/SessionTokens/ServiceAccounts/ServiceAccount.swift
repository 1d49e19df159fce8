public import AuthCore

/// The identity of a service account: the address that names it, and the public keys that it signs with.
///
/// The private keys are in the files that were written for them, and nowhere else.
public struct ServiceAccount: Sendable, Hashable, Codable {
  /// A public key of a service account.
  public struct Key: Sendable, Hashable, Codable {
    /// The key's ID, `private_key_id` in the file.
    public let id: String
    /// The time of creation.
    public let createdAt: Timestamp
    /// The end of the key's validity, which a rotation sets; nil if it is valid as long as the account.
    public internal(set) var expiresAt: Timestamp?
    /// The public key as JSON text (a JWK) without a key ID.
    let jwk: String

    func isGood(at now: Timestamp) -> Bool {
      expiresAt.map { now < $0 } ?? true
    }
  }

  /// The address, `client_email` in the file; unique in the project, and no mailbox.
  public let email: String
  /// The keys, in the order of their creation.
  public internal(set) var keys: [Key]

  /// The greatest number of keys that are valid at a time.
  static let maximumKeys = 5

  /// Returns the address of an account: its name in lower case letters, digits and hyphens, and its project.
  static func email(name: String, project: String) -> String {
    let part = name.lowercased().map { character in
      character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
    }
    return "\(String(part))@\(project).serviceaccount.internal"
  }
}

extension AdminToken {
  /// Returns a valid key of the service account by its ID; nil if the account has no such key.
  func key(_ id: String, at now: Timestamp) -> ServiceAccount.Key? {
    serviceAccount?.keys.first { $0.id.isExactly(id) && $0.isGood(at: now) }
  }

  /// True if the service account signs custom tokens.
  ///
  /// A custom token signs in to every account, so the scope to write accounts is needed.
  var signsCustomTokens: Bool {
    serviceAccount != nil && AdminScope.does(scopes, allow: .writeAccounts)
  }
}
