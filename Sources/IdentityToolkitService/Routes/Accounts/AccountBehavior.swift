import AuthCore
import IdentityToolkit
import SessionTokens

/// Decisions on signing up, signing in and changing one's own account.
protocol AccountBehavior: Sendable {
  /// Tells whether a sign-up without an address opens an anonymous account.
  func opensAnonymously(_ body: WireFields) -> Bool
  /// Checks the address and the password of a sign-up before the ID token is checked.
  func checkSignUp(
    _ email: EmailAddress, _ password: String, _ handler: AccountHandler
  ) async throws
  /// Tells whether a request may choose the second factors of a new account.
  func mayChooseFactors(_ call: Call) -> Bool
  /// The change to the account's display name if a request that links a password has none.
  var unnamed: Change<String> { get }
  /// Tells whether an address and a password replace those of an account, instead of being linked to it.
  func replacesPassword(of account: Account) -> Bool
  /// Returns the time of the first sign-in to an account that an admin opens, or nil for none.
  func signInTime(ofAccountMadeAt now: Timestamp) -> Timestamp?
  /// Returns the session that continues after a change, or nil if the change ends it.
  func continuation(
    of signedIn: SignedIn, after handler: AccountHandler
  ) throws -> SessionContinuation
  /// Returns the tokens for an account that was changed without a session.
  func tokens(ofChanged account: Account, _ call: Call) async throws -> [String: JSONValue]
  /// True if answers to changes of an address or a password list the ways in that stay.
  var listsWaysIn: Bool { get }
  /// Returns why an account is not changed by a code of an operation; nil if it is.
  func refusal(ofChangeBy operation: ActionCode.Operation) -> WireError?
  /// Checks a request to sign in with a password that has all that is needed.
  func checkPasswordSignIn(_ body: WireFields) throws(WireError)
  /// Adds the profile of an account to the answer to its password.
  func addProfile(of account: Account, to answer: inout [String: JSONValue])
  /// Returns the unmet criteria of the password policy that the answer lists.
  func announced(_ missing: [String]) -> [String]
  /// Returns the error for a refused password, as specific as the settings allow.
  func refusal(
    ofPasswordFor email: EmailAddress, _ settings: SignInSettings, _ handler: AccountHandler
  ) async throws -> WireError
  /// Returns an account's record, with hashes if the caller may see them.
  func record(_ account: Account, seesHashes: Bool) -> UserJSON
}

extension AccountBehavior {
  func opensAnonymously(_ body: WireFields) -> Bool {
    !body.has("idToken") && !body.has("password")
  }

  func checkSignUp(
    _ email: EmailAddress, _ password: String, _ handler: AccountHandler
  ) async throws {}
  func mayChooseFactors(_ call: Call) -> Bool { call.isPrivileged }
  var unnamed: Change<String> { .leave }

  func replacesPassword(of account: Account) -> Bool {
    !account.identities(of: .password).isEmpty
  }

  func signInTime(ofAccountMadeAt now: Timestamp) -> Timestamp? { nil }

  func continuation(
    of signedIn: SignedIn, after handler: AccountHandler
  ) throws -> SessionContinuation {
    let wayIn = try handler.wayIn(after: signedIn)
    let (begun, provider) = (signedIn.identity, signedIn.token.provider)
    return SessionContinuation(
      showing: signedIn.token.secondFactor,
      claims: signedIn.token.sessionClaims(beside: signedIn.account),
      isUnconditional: try handler.body.bool("returnSecureToken") == true
    ) { account in
      let wayIn = wayIn(account)
      // A session of an identity ends with the last way to sign in, or it would depend on nothing.
      guard begun == nil || wayIn != nil else { return nil }
      return SessionContinuation.WayIn(wayIn?.provider ?? provider, wayIn?.key)
    }
  }

  func tokens(ofChanged account: Account, _ call: Call) async throws -> [String: JSONValue] { [:] }

  var listsWaysIn: Bool { true }

  func refusal(ofChangeBy operation: ActionCode.Operation) -> WireError? {
    switch operation {
    case .verifyEmail, .verifyAndChangeEmail, .recoverEmail, .revertSecondFactorAddition: nil
    default: WireError("INVALID_OOB_CODE")
    }
  }

  func checkPasswordSignIn(_ body: WireFields) throws(WireError) {}

  func addProfile(of account: Account, to answer: inout [String: JSONValue]) {
    answer["displayName"] = .string(account.displayName ?? "")
    answer.put("profilePicture", account.photoURL)
  }

  func announced(_ missing: [String]) -> [String] { missing }

  func refusal(
    ofPasswordFor email: EmailAddress, _ settings: SignInSettings, _ handler: AccountHandler
  ) async throws -> WireError {
    guard !settings.hidesAccounts else { return WireError("INVALID_LOGIN_CREDENTIALS") }
    let account = try await handler.holder(of: email)
    if account?.disabled == true { return WireError("USER_DISABLED") }
    return .wrongPassword(of: account)
  }

  func record(_ account: Account, seesHashes: Bool) -> UserJSON {
    UserJSON(account: account, showsHash: seesHashes)
  }
}
