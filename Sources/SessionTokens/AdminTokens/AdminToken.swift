public import AuthCore
import Crypto

/// What is known of an admin's token; the token itself is nowhere.
public struct AdminToken: Sendable, Hashable, Codable {
  /// Names it, and whoever uses it, in a project.
  public let name: String
  public let scopes: Set<AdminScope>
  public let createdAt: Timestamp
  /// Who made it.
  public let createdBy: String
  /// Nil where it is good until it is revoked.
  public let expiresAt: Timestamp?
  /// The SHA-256 of the token, in base64url.
  let digest: String

  /// What every token begins with, so that scanners of leaked secrets find it.
  static let prefix = "agadm_"

  static func digest(of token: String) -> String {
    Base64.url.text(Array(SHA256.hash(data: Array(token.utf8))))
  }

  func isGood(at now: Timestamp) -> Bool {
    expiresAt.map { now < $0 } ?? true
  }
}
