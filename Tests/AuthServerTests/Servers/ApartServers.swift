import AuthCore
import AuthTesting
import BuiltInProviders
import PostgresStore
import SQLiteStore
import SessionTokens
import Testing

@testable import IdentityToolkitService

/// Three servers on one store, with clocks that differ.
///
/// People sign in at the first, and the second ends their sessions. The third has the time of the first.
struct ApartServers: Sendable {
  let first: ServerHome
  let second: ServerHome
  let third: ServerHome

  /// The store that servers share.
  enum Place: CaseIterable {
    case sqlite, postgres

    /// Runs a body with a store for each of three servers.
    func withStores(_ body: @Sendable ([any AccountStore]) async throws -> Void) async throws {
      switch self {
      case .sqlite:
        let store = try SQLiteStore.inMemory()
        try await body([store, store, store])
      case .postgres:
        try await PostgresServer.shared.withSchema("apart", options: ["connections=2"]) { url in
          let stores = try (0..<3).map { _ in try PostgresStore(url: url) }
          defer { for store in stores { store.close() } }
          try await body(stores)
        }
      }
    }
  }

  /// Runs a body with servers of which the second is ahead by some seconds, or behind if they are negative.
  static func run(
    in place: Place, secondAhead seconds: Int64,
    _ body: @escaping @Sendable (ApartServers) async throws -> Void
  ) async throws {
    let secrets = EphemeralSealing()
    let configure: @Sendable (inout ServerSetup) -> Void = { setup in
      setup.secrets = secrets
      setup.settings = { $0.rateLimits = .none }
    }
    try await place.withStores { stores in
      try await withServer(.production, store: stores[0], configure: configure) { first in
        try await withServer(.production, store: stores[1], configure: configure) { second in
          try await withServer(.production, store: stores[2], configure: configure) { third in
            second.clock.advance(seconds: seconds)
            try await body(ApartServers(first: first, second: second, third: third))
          }
        }
      }
    }
  }

  /// Advances the clocks of all servers.
  func wait(seconds: Int64) {
    for home in [first, second, third] { home.clock.advance(seconds: seconds) }
  }
}

/// A session as a client holds it, and as an app's server holds it with a cookie.
struct HeldSession: Sendable {
  let tokens: SignedUp
  let cookie: String

  init(_ reply: Reply, at home: ServerHome) async throws {
    tokens = try SignedUp(reply)
    cookie = try await home.admin(
      "POST", "/v1/projects/\(ServerHome.project):createSessionCookie",
      ["idToken": .string(tokens.idToken)]
    ).text("sessionCookie")
  }
}

extension ServerHome {
  /// Returns the answer to a refresh token.
  func refresh(_ token: String) async throws -> Reply {
    try await post("/v1/token", ["grantType": "refresh_token", "refreshToken": .string(token)])
  }

  /// Returns true if an Admin SDK with a revocation check refuses a token or a cookie: it looks up the account and
  /// compares.
  ///
  /// Node's SDK compares `auth_time`; those of Go, Java and Python compare `iat`.
  func sdkRefuses(_ token: String, by claim: String = "auth_time") async throws -> Bool {
    let claims = try claims(of: token)
    let uid = try #require(claims["sub"]?.stringValue)
    guard case .integer(let begun)? = claims[claim], let record = try await adminRecord(uid),
      record["disabled"] != true
    else { return true }
    guard let since = record["validSince"]?.stringValue.flatMap({ Int64($0) }) else { return false }
    return begun < since
  }

  /// Returns true if the session of a cookie is over at this server.
  func isOver(cookie: String) async throws -> Bool {
    let token = try await services.tokens.verify(sessionCookie: cookie, project: Self.project)
    guard let account = try await graph.account(token.account, in: scope),
      account.id == token.account, !account.disabled
    else { return true }
    if case .ended = token.standing(on: account) { return true }
    return false
  }

  func enterByPhone(_ number: String) async throws -> Reply {
    let shown = try await phoneCode(number)
    return try await post(
      "/v1/accounts:signInWithPhoneNumber",
      ["sessionInfo": .string(shown.session), "code": .string(shown.code)])
  }

  func enterByLink(_ email: String) async throws -> Reply {
    let code = try await code("EMAIL_SIGNIN", to: email)
    return try await post(
      "/v1/accounts:signInWithEmailLink", ["email": .string(email), "oobCode": .string(code)])
  }
}
