import AuthCore
import IdentityToolkit
import SessionTokens

/// Signing up, signing in and changing one's own account.
protocol AccountBehavior: Sendable {
  /// Whether a request to sign up without an address opens an anonymous account.
  func opensAnonymously(_ body: WireFields) -> Bool
  /// Checks an address and a password that sign up before the ID token is looked at.
  func checkSignUp(
    _ email: EmailAddress, _ password: String, _ handler: AccountHandler
  ) async throws
  /// Whether a request may choose the second factors of a new account.
  func mayChooseFactors(_ call: Call) -> Bool
  /// What becomes of the account's name if a request that links a password has none.
  var unnamed: Change<String> { get }
  /// Whether an address and a password replace those of an account, rather than being linked to it.
  func replacesPassword(of account: Account) -> Bool
  /// The time of the first sign-in to an account that an admin opens; nil is none.
  func signInTime(ofAccountMadeAt now: Timestamp) -> Timestamp?
  /// Returns the session that goes on after a change, unless the change ends it for good.
  func continuation(
    of signedIn: SignedIn, after handler: AccountHandler
  ) throws -> SessionContinuation
  /// Returns the tokens that go with an account that was changed without a session.
  func tokens(ofChanged account: Account, _ call: Call) async throws -> [String: JSONValue]
  /// Returns why an account is not changed by a code of an operation; nil if it is.
  func refusal(ofChangeBy operation: ActionCodeOperation) -> WireError?
  /// Checks a request to sign in with a password that has all that is needed.
  func checkPasswordSignIn(_ body: WireFields) throws(WireError)
  /// Adds the profile of an account to the answer to its password.
  func addProfile(of account: Account, to answer: inout [String: JSONValue])
  /// Returns the criteria of which a client is told that its password does not meet them.
  func announced(_ missing: [String]) -> [String]
  /// Returns why a password was refused, as far as the settings let it be told.
  func refusal(
    ofPasswordFor email: EmailAddress, _ settings: SignInSettings, _ handler: AccountHandler
  ) async throws -> WireError
  /// Returns the record of an account for a reader who may see hashes, or may not.
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
      // A session of an identity does not outlast every way in, or it would hang on nothing.
      guard begun == nil || wayIn != nil else { return nil }
      return SessionContinuation.WayIn(wayIn?.provider ?? provider, wayIn?.key)
    }
  }

  func tokens(ofChanged account: Account, _ call: Call) async throws -> [String: JSONValue] { [:] }

  func refusal(ofChangeBy operation: ActionCodeOperation) -> WireError? {
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
