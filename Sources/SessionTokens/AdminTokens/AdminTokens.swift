public import AuthCore

/// Issues and checks the tokens with which admins and their tools call the server.
///
/// A token is 256 random bits after `agadm_` and is shown once. It gives access to the project that it was made for and
/// that project's tenants, or to every project with the scope `server`. The store keeps only a digest.
///
/// A service account is an entry of the same list. Instead of a token it has a key of its own, with which it asks for
/// access tokens of an hour.
public struct AdminTokens: Sendable {
  let store: any AccountStore
  /// Seals the access tokens of service accounts; nil if none can be issued or checked.
  let secrets: (any SecretSealing)?
  let clock: @Sendable () -> Timestamp
  let cache: AdminTokenCache

  /// Makes the tokens of a store.
  ///
  /// Access tokens of service accounts need `secrets`, the same ones on every server of the store.
  public init(
    store: any AccountStore, secrets: (any SecretSealing)? = nil,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) {
    self.store = store
    self.secrets = secrets
    self.clock = clock
    cache = AdminTokenCache(store: store)
  }

  /// Makes a token, which cannot be shown again.
  ///
  /// Throws `operation-not-allowed` for a caller who is not an admin and for a dry run. Throws `invalid-argument` for a
  /// name that is taken, empty, longer than ``TextBounds/tokenName`` or not printable, for an empty set of scopes, and
  /// for an expiry in the past.
  public func new(
    name: String, scopes: Set<AdminScope>, expiresAt: Timestamp? = nil, by caller: Caller
  ) async throws -> Secret<String> {
    let token = AdminToken.prefix + Base64.url.text(RandomBytes.make(32))
    try await register(by: caller) { now in
      try Self.check(name, scopes, expiresAt, at: now)
      return AdminToken(
        name: name, scopes: scopes, createdAt: now, createdBy: caller.actor, expiresAt: expiresAt,
        serviceAccount: nil, digest: AdminToken.digest(of: token))
    }
    return Secret(token)
  }

  /// Adds an entry to the list of the caller's project, in place of one with its name that is over.
  ///
  /// Throws `operation-not-allowed` for a caller who is not an admin and for a dry run, and `invalid-argument` for a name
  /// or an address that is taken.
  func register(
    by caller: Caller, _ make: (Timestamp) throws -> AdminToken
  ) async throws {
    try caller.mustBeAdmin()
    try Self.refuseRehearsal(caller)
    let now = clock()
    let record = try make(now)
    let project = Scope(project: caller.scope.project)
    try await store.write { writer in
      var tokens = try AdminTokenList.read(project, in: writer)
      tokens.removeAll { $0.name == record.name && !$0.isGood(at: now) }
      guard !tokens.contains(where: { $0.name == record.name }) else {
        throw Self.refusal("There is a token with this name already.", "name")
      }
      let email = record.serviceAccount?.email
      guard email == nil || !tokens.contains(where: { $0.serviceAccount?.email == email }) else {
        throw Self.refusal("There is a service account with this address already.", "name")
      }
      try AdminTokenList.save(tokens + [record], project, in: writer)
      var details: [String: JSONValue] = [
        "name": .string(record.name),
        "scopes": .array(record.scopes.map(\.rawValue).sorted().map(JSONValue.string)),
      ]
      details["expiresAt"] = record.expiresAt.map { .string($0.text) }
      details["serviceAccount"] = email.map(JSONValue.string)
      details["keyID"] = record.serviceAccount?.keys.first.map { .string($0.id) }
      try writer.append(.about(.createAdminToken, in: project, by: caller, at: now, details))
    }
    cache.forget(project)
  }

  /// Throws `operation-not-allowed` for a dry run.
  static func refuseRehearsal(_ caller: Caller) throws(AuthError) {
    guard caller.dryRun else { return }
    throw AuthError(
      .operationNotAllowed, "A token cannot be rehearsed.", remedy: "Leave dryRun out.",
      step: .token)
  }

  /// Returns the tokens of a project sorted by name, including expired ones.
  public func list(project: String) async throws -> [AdminToken] {
    try await store.read { try AdminTokenList.read(Scope(project: project), in: $0) }
      .sorted { $0.name < $1.name }
  }

  /// Revokes a token: at once on this server, within ten seconds on others, or two seconds if the store announces
  /// changes.
  ///
  /// Throws `operation-not-allowed` for a caller who is not an admin, and for a token with the scope `server` if
  /// `sparingServer` is set. Throws `invalid-argument` if no token has this name.
  public func revoke(
    name: String, sparingServer: Bool = false, by caller: Caller
  ) async throws {
    try caller.mustBeAdmin()
    let now = clock()
    let project = Scope(project: caller.scope.project)
    try await store.write { writer in
      let tokens = try AdminTokenList.read(project, in: writer)
      guard let revoked = tokens.first(where: { $0.name == name }) else {
        throw Self.refusal(
          "There is no token with this name.", "name",
          suggestion(for: name, among: tokens.map(\.name)))
      }
      if sparingServer { try Self.spareServer(revoked) }
      guard !caller.dryRun else { return }
      try AdminTokenList.save(tokens.filter { $0.name != name }, project, in: writer)
      try writer.append(
        .about(.revokeAdminToken, in: project, by: caller, at: now, ["name": .string(name)]))
    }
    cache.forget(project)
  }

  /// Invalidates cached lists that a change of the store made stale.
  package func forget(_ change: StoreChange) {
    switch change {
    case .checkpoint(AdminTokenList.checkpoint, let scope), .settings(let scope):
      cache.forget(scope)
    case .checkpoint: break
    case .anything: cache.forget(nil)
    }
  }

  /// Returns the owner of a token or an access token, searching the projects in order; nil for an unknown or expired one.
  public func check(_ token: String, projects: [String]) async throws -> AdminIdentity? {
    if token.hasPrefix(AccessToken.prefix) {
      return try await check(accessToken: token, projects: projects)
    }
    guard token.hasPrefix(AdminToken.prefix), token.utf8.count <= 128 else { return nil }
    let now = clock()
    let digest = AdminToken.digest(of: token)
    for project in projects {
      guard let found = try await find(digest, Scope(project: project), at: now) else { continue }
      return found.isGood(at: now)
        ? AdminIdentity(name: found.name, scopes: found.scopes, project: project) : nil
    }
    return nil
  }

  /// Returns the owner of a project's token; nil for an unknown or expired token.
  public func check(_ token: String, project: String) async throws -> AdminIdentity? {
    try await check(token, projects: [project])
  }

  private func find(
    _ digest: String, _ project: Scope, at now: Timestamp
  ) async throws -> AdminToken? {
    try await find(in: project, at: now) { tokens in
      // Every digest is compared in full, so that the time taken reveals nothing.
      var found: AdminToken?
      for known in tokens where known.digest.equalsInConstantTime(digest) { found = known }
      return found
    }
  }

  /// Looks for an entry in the cached list of a project, and in a fresh one if it is not there.
  func find(
    in project: Scope, at now: Timestamp, _ choose: ([AdminToken]) -> AdminToken?
  ) async throws -> AdminToken? {
    for mayBeOlder in [true, false] {
      guard let tokens = try await cache.tokens(project, at: now, mayBeOlder: mayBeOlder) else {
        return nil
      }
      if let found = choose(tokens) { return found }
    }
    return nil
  }

  static func check(
    _ name: String, _ scopes: Set<AdminScope>, _ expiresAt: Timestamp?, at now: Timestamp
  ) throws(AuthError) {
    let isPrintable = name.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
    guard !name.isEmpty, TextBounds.tokenName.allow(name), isPrintable else {
      throw refusal("A token's name has 1 to \(TextBounds.tokenName), all printable.", "name")
    }
    guard !scopes.isEmpty else {
      throw refusal(
        "A token without scopes may do nothing.", "scopes",
        "Give some of: \(AdminScope.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    guard expiresAt.map({ $0 > now }) ?? true else {
      throw refusal("The token's time would be over already.", "expiresAt")
    }
  }

  static func refusal(
    _ message: String, _ field: String, _ remedy: String = "Choose another one."
  ) -> AuthError {
    AuthError(.invalidArgument, message, field: field, remedy: remedy)
  }
}
