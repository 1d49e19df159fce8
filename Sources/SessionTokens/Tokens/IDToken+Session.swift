public import AuthCore

extension IDToken {
  /// The state of a token's session, judged by the account as it is now.
  public enum Standing: Sendable, Hashable {
    /// The session depends on an identity that the account still has.
    case identity(IdentityKey)
    /// The session depends on no identity: it is anonymous, or began with a custom token.
    case account
    /// The session was ended, or the account lost the identity with which it began.
    case ended
  }

  /// Returns the state of the session.
  ///
  /// Another identity of the same provider does not replace a lost one. The session that unlinked its identity itself
  /// continues. A token of an older version, which names no identity, belongs to the only identity of its provider.
  public func standing(on account: Account) -> Standing {
    guard !mark.isOver(on: account) else { return .ended }
    guard provider != .anonymous && provider != .custom else { return .account }
    let candidates = account.identities.filter { identity in
      guard let identityMark else {
        return TokenService.signInProvider(identity.provider) == provider
      }
      return identity.keys.contains { SessionHeader.mark(of: $0) == identityMark }
    }
    let unlinked = account.keptKey(ofSessionBegunAt: authTime) {
      SessionHeader.mark(of: $0) == identityMark
    }
    guard let key = candidates.isEmpty ? unlinked : candidates.first?.key, candidates.count <= 1,
      account.keepsSession(of: key, begunAt: authTime)
    else { return .ended }
    return .identity(key)
  }
}
