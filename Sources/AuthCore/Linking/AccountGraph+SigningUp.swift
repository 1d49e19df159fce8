extension AccountGraph {
  /// Signs up like ``signUp(_:by:)``, and calls the new account by a name.
  ///
  /// The name is the account's before the app's functions are asked. Throws like ``signUp(_:by:)``, or
  /// `invalid-display-name`.
  public func signUp(
    _ credential: AuthCredential, displayName: String?, by caller: Caller
  ) async throws -> SignInResult {
    var changes = ProfileChanges()
    changes.displayName = displayName.map { .set($0) } ?? .leave
    try changes.check()
    var identity = try await audited(.signUp, showing: .credential(credential), by: caller) {
      try await verifyAllowed(credential, .enroll, by: caller)
    }
    identity.profile.displayName = displayName ?? identity.profile.displayName
    let (receipt, verdict) = try await decideLink(
      .signUp(identity), identity, giving: CredentialSession(.signUp), by: caller)
    return try result(verdict, receipt)
  }
}
