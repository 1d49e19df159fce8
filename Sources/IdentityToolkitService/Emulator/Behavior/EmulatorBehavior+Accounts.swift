import AuthCore
import IdentityToolkit
import SessionTokens

extension EmulatorBehavior {
  /// A password without an address is ignored, so the request opens an anonymous account.
  func opensAnonymously(_ body: WireFields) -> Bool { !body.has("idToken") }

  /// Checks the address before the password, and both before the ID token.
  func checkSignUp(
    _ email: EmailAddress, _ password: String, _ handler: AccountHandler
  ) async throws {
    guard try await handler.holder(of: email) == nil else { throw WireError("EMAIL_EXISTS") }
    guard password.utf16.count >= PasswordPolicy.shortest else { throw WireError.weakPassword }
  }

  func mayChooseFactors(_ call: Call) -> Bool { true }
  var unnamed: Change<String> { .clear }
  func replacesPassword(of account: Account) -> Bool { false }
  func signInTime(ofAccountMadeAt now: Timestamp) -> Timestamp? { now }

  func continuation(
    of signedIn: SignedIn, after handler: AccountHandler
  ) throws -> SessionContinuation {
    let (wayIn, provider) = (try handler.wayIn(after: signedIn), signedIn.token.provider)
    return SessionContinuation(
      showing: signedIn.token.secondFactor, isUnconditional: false
    ) { account in
      let wayIn = wayIn(account)
      return SessionContinuation.WayIn(wayIn?.provider ?? provider, wayIn?.key)
    }
  }

  /// Returns tokens to an admin who sets a password.
  func tokens(ofChanged account: Account, _ call: Call) async throws -> [String: JSONValue] {
    guard call.isPrivileged, try call.body.filled("password") != nil, !account.disabled else {
      return [:]
    }
    let session = Caller.Authority.session(
      account.id, signedInAt: call.services.clock(), secondFactor: false)
    let renewed = try await call.graph.renewSession(
      provider: .password, identity: account.passwordIdentity?.key, showing: nil,
      by: Caller(scope: call.scope, authority: session, client: call.client))
    return try await call.tokens(for: renewed.session, renewed.account)
  }

  var listsWaysIn: Bool { false }

  func refusal(ofChangeBy operation: ActionCode.Operation) -> WireError? {
    switch operation {
    case .verifyEmail, .verifyAndChangeEmail, .recoverEmail: nil
    default: .notImplemented(operation.rawValue)
    }
  }

  func checkPasswordSignIn(_ body: WireFields) throws(WireError) {
    for name in ["captchaResponse", "captchaChallenge"] where try body.filled(name) != nil {
      throw WireError.notImplemented("captcha unimplemented")
    }
    for name in ["idToken", "pendingIdToken"] where try body.filled(name) != nil {
      throw WireError.notImplemented("\(name) is no longer in use and not supported.")
    }
  }

  func addProfile(of account: Account, to answer: inout [String: JSONValue]) {}
  func announced(_ missing: [String]) -> [String] { [] }

  /// Says that an account is disabled even while accounts are hidden.
  func refusal(
    ofPasswordFor email: EmailAddress, _ settings: SignInSettings, _ handler: AccountHandler
  ) async throws -> WireError {
    let account = try await handler.holder(of: email)
    if account?.disabled == true { return WireError("USER_DISABLED") }
    guard !settings.hidesAccounts else { return WireError("INVALID_LOGIN_CREDENTIALS") }
    return .wrongPassword(of: account)
  }

  func record(_ account: Account, seesHashes: Bool) -> UserJSON {
    var record = UserJSON(account: account, showsHash: true, repeatsNumbers: true)
    record.showsNoFactors = memory.hasWithdrawn(account)
    record.repeatsSubjects = false
    return record
  }
}
