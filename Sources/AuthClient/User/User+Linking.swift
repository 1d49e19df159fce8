import AuthValues
import Foundation
import IdentityToolkit

extension User {
  /// Adds a way in to the account, which keeps its uid.
  ///
  /// A project may merge the two accounts where the credential belongs to another one. Then the result's user is
  /// the account that is left, ``AuthDataResult/mergedFrom`` names the one that went up in it, and where this
  /// was the current user the one that is left is from now on.
  ///
  /// Throws
  /// - `providerAlreadyLinked` (17015) where the account has a way in of this provider, without asking;
  /// - `credentialAlreadyInUse` (17025) where the credential is another account's: sign in with
  ///   ``AuthErrors/userInfoUpdatedCredentialKey`` of the error to reach that account, and merge the two
  ///   with ``Auth/merge(_:into:policy:)``;
  /// - `emailAlreadyInUse` (17007), `requiresRecentLogin` (17014), `invalidCredential` (17004);
  /// - `secondFactorRequired` (17078), whose resolver completes the link.
  @discardableResult
  public func link(with credential: AuthCredential) async throws -> AuthDataResult {
    let isPassword = credential.provider == EmailAuthProvider.id
    let isLinked = stored.providers.contains { $0.providerID == credential.provider }
    guard !isLinked, !(isPassword && read(\.hasPassword)) else {
      throw NSError.auth(.providerAlreadyLinked)
    }
    return try await withToken { token in
      let purpose = Auth.Purpose.link(self, idToken: token)
      return try await auth.carryOut(
        purpose, with: try await auth.authenticate(credential, for: purpose))
    }
  }

  /// Takes a way in away.
  ///
  /// Throws `noSuchProvider` (17016) where the account has none of this provider, and `requiresRecentLogin`
  /// (17014). A project may refuse to take the last way in with `operationNotAllowed` (17006).
  public func unlink(fromProvider provider: String) async throws -> User {
    try await withToken { token in
      guard stored.providers.contains(where: { $0.providerID == provider }) else {
        throw NSError.auth(.noSuchProvider)
      }
      let fields = try await auth.toolkit.call(
        .update,
        [
          "idToken": .string(token), "deleteProvider": [.string(provider)],
          "returnSecureToken": true,
        ])
      takeTokens(of: fields)
      try update { user in
        user.providers.removeAll { $0.providerID == provider }
        if provider == EmailAuthProvider.id { user.hasPassword = false }
        if provider == PhoneAuthProvider.id { user.phoneNumber = nil }
      }
      return self
    }
  }

  /// Has the owner show again who they are, for what wants a recent sign-in.
  ///
  /// Throws `userMismatch` (17024) where the credential is another account's.
  @discardableResult
  public func reauthenticate(with credential: AuthCredential) async throws -> AuthDataResult {
    do {
      return try await reauthenticated(
        try await auth.authenticate(credential, for: .reauthenticate(self)))
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

  /// Puts another phone number in the place of the account's, or gives it its first.
  ///
  /// Throws `credentialAlreadyInUse` (17025) where the number is another account's.
  public func updatePhoneNumber(_ credential: PhoneAuthCredential) async throws {
    try await withToken { token in
      _ = try await take(
        try await auth.authenticate(credential, for: .updatePhone(self, idToken: token)))
    }
  }

  /// Takes over what a link gave: tokens and the account as it is now, which a merge may have made another one.
  func take(_ answer: SignInAnswer) async throws -> AuthDataResult {
    // The old tokens may be over by now, so the new ones are kept before anything else can fail.
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

  /// Puts other tokens in, and stores them.
  func keep(_ pair: TokenPair) throws {
    tokens.replace(with: pair)
    try auth.changed(self)
  }

  /// Takes over the tokens of an answer that has some.
  func takeTokens(of fields: WireFields) {
    if let pair = TokenPair(fields, now: auth.now()) { tokens.replace(with: pair) }
  }
}
