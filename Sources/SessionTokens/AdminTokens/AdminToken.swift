public import AuthCore
import Crypto

/// The stored description of an admin token, without the token itself.
public struct AdminToken: Sendable, Hashable, Codable {
  /// The name of the token and its user, unique in the project.
  public let name: String
  /// The permissions.
  public let scopes: Set<AdminScope>
  /// The time of creation.
  public let createdAt: Timestamp
  /// The name of the admin who made the token.
  public let createdBy: String
  /// The end of the token's validity; nil if it is valid until it is revoked.
  public let expiresAt: Timestamp?
  /// The address and the public keys of a service account; nil for a token.
  public internal(set) var serviceAccount: ServiceAccount?
  /// The SHA-256 of the token, in base64url; empty for a service account, which has no token of its own.
  let digest: String

  /// The beginning of every token, which lets scanners find leaked secrets.
  static let prefix = "agadm_"

  static func digest(of token: String) -> String {
    Base64.url.text(Array(SHA256.hash(data: Array(token.utf8))))
  }

  func isGood(at now: Timestamp) -> Bool {
    expiresAt.map { now < $0 } ?? true
  }
}
