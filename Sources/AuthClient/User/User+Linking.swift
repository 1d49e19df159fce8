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
    let answer = try await changingTokens {
      try await auth.authenticate(credential, for: .link(self, idToken: $0))
    } taking: {
      try keepTokens(of: $0)
    }
    return try await finish(answer)
  }

  /// Unlinks a provider's identity.
  ///
  /// Throws `noSuchProvider` (17016) if the account has no identity of this provider, and `requiresRecentLogin`
  /// (17014). A project may refuse to remove the last sign-in method with `operationNotAllowed` (17006).
  public func unlink(fromProvider provider: String) async throws -> User {
    try await changingTokens { token in
      guard stored.providers.contains(where: { $0.providerID == provider }) else {
        throw NSError.auth(.noSuchProvider)
      }
      return try await auth.toolkit.call(
        .update,
        [
          "idToken": .string(token), "deleteProvider": [.string(provider)],
          "returnSecureToken": true,
        ])
    } taking: { fields in
      takeTokens(of: fields)
      try update { user in
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
      return try await changes.pass {
        try await reauthenticated(
          try await auth.authenticate(credential, for: .reauthenticate(self)))
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
    let answer = try await changingTokens {
      try await auth.authenticate(credential, for: .updatePhone(self, idToken: $0))
    } taking: {
      try keepTokens(of: $0)
    }
    _ = try await finish(answer)
  }

  /// Applies a link's answer: the tokens, and the account, which a merge may have replaced.
  func take(_ answer: SignInAnswer) async throws -> AuthDataResult {
    try keepTokens(of: answer)
    return try await finish(answer)
  }

  /// Stores the tokens of a link's answer before anything else can fail, because the old ones may be invalid by now.
  private func keepTokens(of answer: SignInAnswer) throws {
    if answer.uid == uid { try keep(answer.tokens) }
  }

  /// Applies the account of a link's answer.
  private func finish(_ answer: SignInAnswer) async throws -> AuthDataResult {
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
