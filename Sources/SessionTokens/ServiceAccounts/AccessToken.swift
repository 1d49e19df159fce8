import AuthCore
import Foundation

/// The content of an access token of a service account, sealed so that only the servers of the store make one.
struct AccessToken: Codable {
  /// The project of the account.
  let project: String
  /// The name of the account.
  let name: String
  /// The key that asked for the token.
  let keyID: String
  /// The permissions, at most those of the account.
  let scopes: Set<AdminScope>
  let expiresAt: Timestamp

  /// The beginning of every access token, which lets scanners find leaked ones.
  static let prefix = "agacc_"
  /// The seconds for which a token is valid at most.
  static let lifetime: Int64 = 3600
  private static let purpose = "access token of a service account"
  private static let maximumBytes = 4096

  func text(sealedBy secrets: any SecretSealing) throws -> String {
    let content = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    let sealed = try secrets.seal(content, for: Self.purpose)
    return Self.prefix + Base64.url.text(Array(sealed.utf8))
  }

  /// Reads a token; nil for any text that these secrets did not seal as one.
  static func read(_ text: String, by secrets: any SecretSealing) throws -> AccessToken? {
    guard text.utf8.count <= maximumBytes,
      let sealed = Base64.url.bytes(of: text.dropFirst(prefix.count).utf8)
    else { return nil }
    do {
      let content = try secrets.open(String(decoding: sealed, as: UTF8.self), for: purpose)
      return try? JSONDecoder().decode(AccessToken.self, from: Data(content.utf8))
    } catch let error as AuthError where error.code == .internalError {
      return nil
    }
  }
}

extension AdminTokens {
  /// Returns the owner of an access token; nil if it is unknown or over, or if its account or its key is.
  func check(accessToken text: String, projects: [String]) async throws -> AdminIdentity? {
    let now = clock()
    guard let secrets, let token = try AccessToken.read(text, by: secrets),
      now < token.expiresAt, projects.contains(token.project)
    else { return nil }
    let account = try await find(in: Scope(project: token.project), at: now) { tokens in
      // A new account of an old name has other keys.
      tokens.first { $0.name == token.name && $0.key(token.keyID, at: now) != nil }
    }
    guard let account, account.isGood(at: now) else { return nil }
    let scopes = token.scopes.filter { AdminScope.does(account.scopes, allow: $0) }
    return AdminIdentity(name: account.name, scopes: scopes, project: token.project)
  }
}
