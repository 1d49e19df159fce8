public import AuthCore

extension AdminTokens {
  /// Makes a service account, and the file of its first key, which cannot be shown again.
  ///
  /// The store keeps only the public key. `server` is the address at which clients reach the server. Throws like
  /// ``new(name:scopes:expiresAt:by:)``.
  public func newServiceAccount(
    name: String, scopes: Set<AdminScope>, expiresAt: Timestamp? = nil, server: String,
    by caller: Caller
  ) async throws -> ServiceAccountFile {
    let project = caller.scope.project
    let email = ServiceAccount.email(name: name, project: project)
    let key = try ServiceAccountFile.NewKey(at: clock())
    try await register(by: caller) { now in
      try Self.check(name, scopes, expiresAt, at: now)
      return AdminToken(
        name: name, scopes: scopes, createdAt: now, createdBy: caller.actor, expiresAt: expiresAt,
        serviceAccount: ServiceAccount(email: email, keys: [key.public]), digest: "")
    }
    return ServiceAccountFile(key, name: name, email: email, project: project, server: server)
  }

  /// Makes another key for a service account, and the file of that key; the earlier keys stay valid for some seconds.
  ///
  /// Throws `operation-not-allowed` for a caller who is not an admin, for a dry run, and for an account with the scope
  /// `server` if `sparingServer` is set. Throws `invalid-argument` if no service account has this name, if it is over,
  /// if it has too many valid keys, or for a negative number of seconds.
  public func rotate(
    name: String, keepingFor seconds: Int64, server: String, sparingServer: Bool = false,
    by caller: Caller
  ) async throws -> ServiceAccountFile {
    try caller.mustBeAdmin()
    try Self.refuseRehearsal(caller)
    guard (0...366 * 86_400).contains(seconds) else {
      throw Self.refusal(
        "The earlier keys stay valid for a year at most, from now on.", "keep",
        "Choose a time between now and a year from now.")
    }
    let now = clock()
    let key = try ServiceAccountFile.NewKey(at: now)
    let project = Scope(project: caller.scope.project)
    let email = try await store.write { writer in
      var tokens = try AdminTokenList.read(project, in: writer)
      guard let place = tokens.firstIndex(where: { $0.name == name }),
        var account = tokens[place].serviceAccount, tokens[place].isGood(at: now)
      else {
        let names = tokens.filter { $0.serviceAccount != nil }.map(\.name)
        throw Self.refusal(
          "There is no service account with this name.", "name", suggestion(for: name, among: names)
        )
      }
      if sparingServer { try Self.spareServer(tokens[place]) }
      let end = now.adding(seconds: seconds)
      account.keys = account.keys.filter { $0.isGood(at: now) }.map { earlier in
        var earlier = earlier
        earlier.expiresAt = min(earlier.expiresAt ?? end, end)
        return earlier
      }.filter { $0.isGood(at: now) }
      guard account.keys.count < ServiceAccount.maximumKeys else {
        throw Self.refusal(
          "The account has \(ServiceAccount.maximumKeys) valid keys already.", "name",
          "Wait until some are over, or keep them for a shorter time.")
      }
      account.keys.append(key.public)
      tokens[place].serviceAccount = account
      try AdminTokenList.save(tokens, project, in: writer)
      try writer.append(
        .about(
          .rotateKeys, in: project, by: caller, at: now,
          [
            "name": .string(name), "serviceAccount": .string(account.email),
            "keyID": .string(key.public.id), "earlierUntil": .string(end.text),
          ]))
      return account.email
    }
    cache.forget(project)
    return ServiceAccountFile(
      key, name: name, email: email, project: project.project, server: server)
  }

  /// Returns the public keys of the service account that an issuer of custom tokens names, as JSON texts (JWK).
  ///
  /// Empty if there is no such account in the project, if it is revoked or over, or if it may not write accounts: a
  /// custom token signs in to every account.
  public func customTokenKeys(of issuer: String, project: String) async throws -> [String] {
    let now = clock()
    let account = try await find(in: Scope(project: project), at: now) { tokens in
      tokens.first { $0.serviceAccount?.email.isExactly(issuer) ?? false }
    }
    guard let account, account.isGood(at: now), account.signsCustomTokens else { return [] }
    return account.serviceAccount?.keys.filter { $0.isGood(at: now) }.map(\.jwk) ?? []
  }

  /// Throws `operation-not-allowed` for a token or an account with the scope `server`.
  static func spareServer(_ token: AdminToken) throws(AuthError) {
    guard token.scopes.contains(.server) else { return }
    throw AuthError(
      .operationNotAllowed, "The token is of the whole server.", field: "name",
      remedy: "Use a token that has the scope server too, or: authgraph admin-token",
      step: .token)
  }
}
