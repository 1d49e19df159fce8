import AuthValues
import Foundation
import IdentityToolkit

extension Auth {
  /// Signs in with a credential of any provider, and creates an account if the credential has none.
  ///
  /// Throws:
  ///
  /// - `secondFactorRequired` (17078): continue with `error.multiFactorResolver`.
  /// - `accountExistsWithDifferentCredential` (17012): the address belongs to another account. Sign in to it another
  ///   way, and ``User/link(with:)`` the credential `error.updatedCredential`.
  /// - `invalidCredential`, `userDisabled`, `operationNotAllowed`, `wrongPassword`, `userNotFound`,
  ///   `invalidVerificationCode` or `networkError`.
  @discardableResult
  public func signIn(with credential: AuthCredential) async throws -> AuthDataResult {
    try await finish(try await authenticate(credential, for: .signIn))
  }

  /// Signs in with an address and a password.
  ///
  /// Throws `wrongPassword` (17009), `invalidCredential` (17004, with e-mail privacy), `userNotFound`,
  /// `invalidEmail`, `userDisabled`, `tooManyRequests` or `secondFactorRequired`.
  @discardableResult
  public func signIn(
    withEmail email: String, password: String
  ) async throws -> AuthDataResult {
    try await signIn(with: EmailAuthProvider.credential(withEmail: email, password: password))
  }

  /// Signs in with a link sent by ``sendSignInLink(toEmail:actionCodeSettings:)``.
  ///
  /// Throws `invalidActionCode` or `expiredActionCode`.
  public func signIn(withEmail email: String, link: String) async throws -> AuthDataResult {
    try await signIn(with: EmailAuthProvider.credential(withEmail: email, link: link))
  }

  /// Creates an account without a sign-in method.
  ///
  /// Linking one later keeps the uid.
  ///
  /// If the current user is anonymous, returns it without a request. Simultaneous calls open one account.
  @discardableResult
  public func signInAnonymously() async throws -> AuthDataResult {
    try await anonymousSignIns.pass {
      if let user = currentUser, user.isAnonymous { return AuthDataResult(user: user) }
      let fields = try await call(.signUp, ["returnSecureToken": true])
      return try await finish(
        try SignInAnswer(
          fields, additional: AdditionalUserInfo(providerID: "", isNewUser: true), now: now()),
        isAnonymous: true)
    }
  }

  /// Signs in with a token that the app's own server has signed.
  ///
  /// Throws `invalidCustomToken` (17000) or `customTokenMismatch` (17002).
  @discardableResult
  public func signIn(withCustomToken token: String) async throws -> AuthDataResult {
    let fields = try await call(
      .signInWithCustomToken, ["token": .string(token), "returnSecureToken": true])
    let additional = AdditionalUserInfo(providerID: "", isNewUser: fields.flag("isNewUser"))
    return try await finish(try SignInAnswer(fields, additional: additional, now: now()))
  }

  /// Creates an account with an address and a password, and signs in to it.
  ///
  /// Throws `emailAlreadyInUse` (17007), `weakPassword` (17026), `invalidEmail`, `missingEmail` or
  /// `operationNotAllowed`.
  @discardableResult
  public func createUser(
    withEmail email: String, password: String
  ) async throws -> AuthDataResult {
    guard !password.isEmpty else { throw NSError.missingPassword }
    guard !email.isEmpty else { throw NSError.auth(.missingEmail) }
    let fields = try await call(
      .signUp,
      ["email": .string(email), "password": .string(password), "returnSecureToken": true])
    return try await finish(
      try SignInAnswer(
        fields, additional: AdditionalUserInfo(providerID: "password", isNewUser: true), now: now())
    )
  }

  /// Signs the current user out, without a request.
  ///
  /// Throws `keychainError` if the stored session cannot be removed.
  public func signOut() throws {
    try become(nil)
  }

  /// Makes another user the current one, such as an earlier one.
  ///
  /// Throws `tenantIDMismatch` if it belongs to another tenant than ``tenantID``. A user of another ``Auth`` is
  /// reloaded from the server; errors are those of ``User/reload()``.
  public func updateCurrentUser(_ user: User) async throws {
    guard user.tenantID == tenantID else { throw NSError.auth(.tenantIDMismatch) }
    guard user.auth !== self else { return try become(user) }
    let copy = User(user.stored, auth: self)
    try await copy.reload()
    try become(copy)
  }

  /// Returns the current user's uid.
  public func getUserID() -> String? { currentUser?.uid }

  /// Loads the account with its new tokens, and makes it the current user.
  func finish(_ answer: SignInAnswer, isAnonymous: Bool = false) async throws -> AuthDataResult {
    let record = try await toolkit.lookup(answer.tokens.idToken)
    let user = user(record, answer, isAnonymous: isAnonymous)
    try become(user)
    return AuthDataResult(user: user, answer)
  }

  /// Replaces a user by the survivor of a merge.
  func replace(
    _ user: User, with answer: SignInAnswer, _ record: AccountRecord
  ) async throws -> AuthDataResult {
    let survivor = self.user(record, answer, isAnonymous: false)
    try become(survivor, inPlaceOf: [user.uid])
    return AuthDataResult(user: survivor, answer)
  }

  func user(
    _ record: AccountRecord, _ answer: SignInAnswer, isAnonymous: Bool
  ) -> User {
    var stored = StoredUser(uid: record.uid, tokens: answer.tokens)
    record.update(&stored)
    stored.isAnonymous = isAnonymous
    stored.tenantID = answer.tenantID
    return User(stored, auth: self)
  }
}
