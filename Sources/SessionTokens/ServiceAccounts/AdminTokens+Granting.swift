public import AuthCore

/// An access token of a service account, as the token endpoint answers it.
public struct AccessGrant: Sendable {
  /// The access token.
  public let token: Secret<String>
  /// The seconds for which it is valid.
  public let lifetime: Int64
  /// The permissions.
  public let scopes: Set<AdminScope>
}

extension AdminTokens {
  /// Issues an access token for an assertion of a service account, a JWT that its key signed (RFC 7523).
  ///
  /// The token is valid as long as the assertion, so that a copied assertion opens nothing for longer than it says. As
  /// with Google, an assertion may be used again until then: SDKs in two processes sign the same one in the same second.
  ///
  /// `audiences` are the addresses of the token endpoint, one of which the assertion has to name, and `projects` those in
  /// which the account is searched.
  ///
  /// Throws `invalid-credential` that names the claim for a refused assertion; an unknown account, an unknown key and a
  /// wrong signature are the same refusal. Throws `invalid-argument` that names `scope` for a scope that the account
  /// lacks, and `operation-not-allowed` if the server has no secrets to seal tokens with.
  public func grant(
    _ assertion: String, audiences: Set<String>, projects: [String]
  ) async throws -> AccessGrant {
    guard let secrets else {
      throw AuthError(
        .operationNotAllowed, "This server issues no access tokens.",
        remedy: "Make the admin tokens with the server's secrets.", step: .token)
    }
    let now = clock()
    guard let request = Assertion(assertion),
      let (account, project) = try await owner(of: request, in: projects, at: now)
    else { throw Self.unknownSigner }
    let end = try request.end(for: audiences, at: now)
    let scopes = try ScopeRequest(request.scopes).granted(to: account.scopes)
    let lifetime = min(
      AccessToken.lifetime, (end.milliseconds - now.milliseconds + 999) / 1000)
    let token = AccessToken(
      project: project, name: account.name, keyID: request.keyID, scopes: scopes,
      expiresAt: min(end, now.adding(seconds: lifetime)))
    return AccessGrant(
      token: Secret(try token.text(sealedBy: secrets)), lifetime: lifetime, scopes: scopes)
  }

  /// Finds the account whose valid key signed an assertion.
  private func owner(
    of request: Assertion, in projects: [String], at now: Timestamp
  ) async throws -> (account: AdminToken, project: String)? {
    for project in projects {
      let account = try await find(in: Scope(project: project), at: now) { tokens in
        tokens.first {
          $0.serviceAccount?.email.isExactly(request.issuer) == true
            && $0.key(request.keyID, at: now) != nil
        }
      }
      guard let account, account.isGood(at: now), let key = account.key(request.keyID, at: now),
        request.isSigned(by: key)
      else { continue }
      return (account, project)
    }
    return nil
  }

  private static let unknownSigner = AuthError(
    .invalidCredential, "No key of a service account of this server signed the assertion.",
    field: "assertion",
    remedy: "Use a file of authgraph admin-token new, whose account is not revoked.",
    step: .token)
}

/// The scopes of an assertion: those of AuthGraph, and the ones that Google's SDKs ask for.
struct ScopeRequest {
  private let names: [String]

  private static let google = "https://www.googleapis.com/auth/"
  /// Google's scopes for everything that the account may do.
  private static let everything: Set<String> = [
    "cloud-platform", "firebase", "identitytoolkit",
  ]
  /// Google's scopes for reading.
  private static let reading: Set<String> = ["cloud-platform.read-only", "firebase.readonly"]

  init(_ names: [String]) {
    self.names = names
  }

  /// Returns the granted scopes, which the account has; Google's scopes of other services are left out.
  ///
  /// Throws `invalid-argument` that names `scope` for one that is unknown or that the account lacks, and if none is left.
  func granted(to account: Set<AdminScope>) throws(AuthError) -> Set<AdminScope> {
    var granted: Set<AdminScope> = []
    for name in names {
      if name.hasPrefix(Self.google) {
        let service = String(name.dropFirst(Self.google.count))
        if Self.everything.contains(service) { granted.formUnion(account) }
        if Self.reading.contains(service), AdminScope.does(account, allow: .readAccounts) {
          granted.insert(.readAccounts)
        }
        continue
      }
      guard let scope = AdminScope(rawValue: name), AdminScope.does(account, allow: scope) else {
        throw Self.refusal("The service account lacks a scope that the assertion asks for.")
      }
      granted.insert(scope)
    }
    guard !granted.isEmpty else {
      throw Self.refusal("The assertion asks for no scope of this server.")
    }
    return granted
  }

  private static func refusal(_ message: String) -> AuthError {
    AuthError(
      .invalidArgument, message, field: "scope",
      remedy:
        "Ask for https://www.googleapis.com/auth/cloud-platform, or for scopes of the account.",
      step: .token)
  }
}
