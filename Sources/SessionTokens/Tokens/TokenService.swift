public import AuthCore

/// Gives and takes ID tokens, refresh tokens and session cookies; the claims are Firebase's.
///
/// Only a ``SessionGrant`` gets tokens, and there is one way to make one of those.
public struct TokenService: Sendable {
  /// How tokens are made.
  public enum Style: Sendable, Hashable {
    /// Signed with the project's newest key of this kind.
    case signed(SigningAlgorithm)
    /// Firebase's emulator: `alg: none`, and refresh tokens that say what they are in base64.
    case unsigned
  }

  public struct Tokens: Sendable {
    public let idToken: Secret<String>
    public let refreshToken: Secret<String>
    /// In seconds.
    public let lifetime: Int64

    public init(idToken: Secret<String>, refreshToken: Secret<String>, lifetime: Int64) {
      self.idToken = idToken
      self.refreshToken = refreshToken
      self.lifetime = lifetime
    }
  }

  /// The seconds for which an ID token is good.
  public static let lifetime: Int64 = 3600

  public let style: Style
  let store: any AccountStore
  let secrets: any SecretSealing
  let clock: @Sendable () -> Timestamp

  public init(
    style: Style, store: any AccountStore, secrets: any SecretSealing,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) {
    self.style = style
    self.store = store
    self.secrets = secrets
    self.clock = clock
  }

  /// Tokens of a new session.
  ///
  /// `mergedFrom` are the uids that the account absorbed, which the ID token then names.
  public func issue(
    _ grant: SessionGrant, _ account: Account, mergedFrom: [AccountID] = []
  ) async throws -> Tokens { throw Unfinished() }

  /// Checks an ID token: signature, issuer, audience, times; not whether its session was ended.
  ///
  /// Throws `invalid-user-token` or `user-token-expired`.
  public func verify(idToken: String, project: String) async throws -> IDToken {
    throw Unfinished()
  }

  /// Reads an ID token's tenant without believing it, to find the scope.
  public func tenant(ofUnverified idToken: String) -> String?? { nil }

  /// The session of a refresh token; throws `invalid-refresh-token`.
  ///
  /// Whether it may go on is the graph's to say.
  public func session(
    ofRefreshToken token: String, project: String
  ) async throws -> (scope: Scope, session: SessionRecord) { throw Unfinished() }

  /// New tokens of a session that goes on; the refresh token stays the same.
  public func renew(
    _ session: SessionRecord, _ grant: SessionGrant, _ account: Account, refreshToken: String
  ) async throws -> Tokens { throw Unfinished() }

  /// A session cookie with the claims of an ID token, for a number of seconds.
  public func sessionCookie(for token: IDToken, lifetime: Int64) async throws -> Secret<String> {
    throw Unfinished()
  }
}

/// How tokens are signed.
public enum SigningAlgorithm: String, Sendable, Hashable, Codable, CaseIterable {
  case rs256 = "RS256"
  case es256 = "ES256"
}

struct Unfinished: Error {}
