public import AuthCore

extension IDToken {
  /// What a token's session hangs on, by the account as it is now.
  public enum Standing: Sendable, Hashable {
    /// An identity, which the account still has.
    case identity(IdentityKey)
    /// No identity: the session is an anonymous one, or one of a custom token.
    case account
    /// The session was ended, or the account has lost the identity that it began with.
    case ended
  }

  /// What the session hangs on.
  ///
  /// Another identity of the same provider does not stand in for one that went. A token of a version that did not name the
  /// identity counts as one of the only identity of its provider.
  public func standing(on account: Account) -> Standing {
    guard !mark.isOver(on: account) else { return .ended }
    guard provider != .anonymous && provider != .custom else { return .account }
    let candidates = account.identities.filter { identity in
      guard let identityMark else {
        return TokenService.signInProvider(identity.provider) == provider
      }
      return identity.keys.contains { SessionHeader.mark(of: $0) == identityMark }
    }
    guard candidates.count == 1, let key = candidates.first?.key,
      account.keepsSession(of: key, begunAt: authTime)
    else { return .ended }
    return .identity(key)
  }
}
