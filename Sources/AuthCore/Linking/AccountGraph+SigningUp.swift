extension AccountGraph {
  /// Signs up like ``signUp(_:by:)``, and sets the account's display name.
  ///
  /// The app's functions see the name. Throws like ``signUp(_:by:)``, or `invalid-display-name`.
  public func signUp(
    _ credential: Credential, displayName: String?, by caller: Caller
  ) async throws -> SignInResult {
    var changes = ProfileChanges()
    changes.displayName = displayName.map { .set($0) } ?? .leave
    try changes.check()
    return try await enter(
      Verification(credential, .enroll, action: .signUp), as: .signUp, by: caller
    ) { identity in
      var identity = identity
      identity.profile.displayName = displayName ?? identity.profile.displayName
      return .signUp(identity)
    }
  }
}
