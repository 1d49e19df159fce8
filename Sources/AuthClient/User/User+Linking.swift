import AuthValues
import Foundation
import IdentityToolkit

extension User {
  /// Links an identity to the account, which keeps its uid.
  ///
  /// If the credential belongs to another account, a project's policy may merge the two. The result's user is then
  /// the survivor, and ``AuthDataResult/mergedFrom`` names the absorbed account. If this user was the current one,
  /// the survivor replaces it.
  ///
  /// Throws:
  ///
  /// - `providerAlreadyLinked` (17015), without a request, if the account has an identity of this provider.
  /// - `credentialAlreadyInUse` (17025) if the credential belongs to another account. Sign in to it with
  ///   `error.updatedCredential`, and merge the two with ``Auth/merge(_:into:policy:)``.
  /// - `emailAlreadyInUse` (17007), `requiresRecentLogin` (17014) or `invalidCredential` (17004).
  /// - `secondFactorRequired` (17078), whose resolver completes the link.
  @discardableResult
  public func link(with credential: AuthCredential) async throws -> AuthDataResult {
    let isPassword = credential.provider == EmailAuthProvider.id
    let isLinked = stored.providers.contains { $0.providerID == credential.provider }
    guard !isLinked, !(isPassword && read(\.hasPassword)) else {
      throw NSError.auth(.providerAlreadyLinked)
    }
    return try await changingTokens {
      try await self.auth.authenticate(credential, for: .link(self, idToken: $0))
    } taking: {
      try await self.take($0)
    }
  }

  /// Unlinks a provider's identity.
  ///
  /// Throws `noSuchProvider` (17016) if the account has no identity of this provider, and `requiresRecentLogin`
  /// (17014). A project may refuse to remove the last sign-in method with `operationNotAllowed` (17006).
  public func unlink(fromProvider provider: String) async throws -> User {
    try await changingTokens { token in
      guard self.stored.providers.contains(where: { $0.providerID == provider }) else {
        throw NSError.auth(.noSuchProvider)
      }
      return try await self.auth.toolkit.call(
        .update,
        [
          "idToken": .string(token), "deleteProvider": [.string(provider)],
          "returnSecureToken": true,
        ])
    } taking: { fields in
      self.takeTokens(of: fields)
      try self.update { user in
        user.providers.removeAll { $0.providerID == provider }
        if provider == EmailAuthProvider.id { user.hasPassword = false }
        if provider == PhoneAuthProvider.id { user.phoneNumber = nil }
      }
    }
    return self
  }

  /// Proves the account again, for operations that require a recent sign-in.
  ///
  /// Throws `userMismatch` (17024) if the credential belongs to another account.
  @discardableResult
  public func reauthenticate(with credential: AuthCredential) async throws -> AuthDataResult {
    do {
      return try await inTurn {
        try await self.reauthenticated(
          try await self.auth.authenticate(credential, for: .reauthenticate(self)))
      }
    } catch let error as NSError where AuthErrorCode(error) == .userNotFound {
      throw NSError.auth(.userMismatch, underlying: error)
    }
  }

  func reauthenticated(_ answer: SignInAnswer) async throws -> AuthDataResult {
    let record = try await auth.toolkit.lookup(answer.tokens.idToken)
    guard record.uid == uid else { throw NSError.auth(.userMismatch) }
    try keep(answer.tokens)
    try update { record.update(&$0) }
    return AuthDataResult(user: self, answer)
  }

  /// Sets or replaces the account's phone number.
  ///
  /// Throws `credentialAlreadyInUse` (17025) if the number belongs to another account.
  public func updatePhoneNumber(_ credential: PhoneAuthCredential) async throws {
    try await changingTokens {
      try await self.auth.authenticate(credential, for: .updatePhone(self, idToken: $0))
    } taking: {
      try await self.take($0)
    }
  }

  /// Applies a link's answer in its turn: the tokens, and the account, which a merge may have replaced.
  ///
  /// The tokens are stored before anything else can fail, because the old ones may be invalid by now.
  func take(_ answer: SignInAnswer) async throws -> AuthDataResult {
    if answer.uid == uid { try keep(answer.tokens) }
    let record = try await auth.toolkit.lookup(answer.tokens.idToken)
    guard record.uid == uid else {
      return try await auth.replace(self, with: answer, record)
    }
    try update { user in
      user.isAnonymous = false
      record.update(&user)
    }
    return AuthDataResult(user: self, answer)
  }

  /// Sets other tokens and stores them.
  func keep(_ pair: TokenPair) throws {
    tokens.replace(with: pair)
    try auth.changed(self)
  }

  /// Applies the tokens of an answer, if it has some.
  func takeTokens(of fields: WireFields) {
    if let pair = TokenPair(fields, now: auth.now()) { tokens.replace(with: pair) }
  }
}
