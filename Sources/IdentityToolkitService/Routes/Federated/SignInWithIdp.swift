import AuthCore
import IdentityToolkit
import SessionTokens

extension Call {
  /// Signs in, or links, with what an identity provider gave an app.
  func signInWithIdp() async throws -> Answer {
    try refuseUnknownInEmulator()
    let parameters = try IdPParameters(body, isEmulator: isEmulator)
    let request = try await isEmulator ? emulatedRequest(parameters) : request(parameters)
    do {
      return .json(.object(try await enter(request)))
    } catch let error as AuthError {
      return .json(.object(try await request.failed(error, self)))
    }
  }

  private func refuseUnknownInEmulator() throws {
    guard isEmulator else { return }
    for name in ["returnRefreshToken", "pendingIdToken"] where isTruthy(body.value(name)) {
      throw WireError.notImplemented("\(name) is not implemented in the Auth Emulator.")
    }
  }

  private func isTruthy(_ value: JSONValue?) -> Bool {
    ![nil, .null, .bool(false), .string(""), .integer(0)].contains(value)
  }

  /// Takes the credential apart without asking anybody, then looks whose session it is.
  private func emulatedRequest(_ parameters: IdPParameters) async throws -> IdPRequest {
    let identity = try EmulatedIdentity(parameters)
    guard (try? vendor(identity.provider)) != nil else {
      throw WireError(
        "INVALID_CREDENTIAL_OR_PROVIDER_ID",
        "Invalid IdP response/credential: \(parameters.place)")
    }
    let signedIn = try await signedInIfAny()
    let vouched = try await graph.vouch(
      for: identity.credential, linkingTo: signedIn?.account.id, by: asking(signedIn))
    var attributes = JSONValue.null
    if let statements = identity.attributes {
      attributes = ["firebase": ["sign_in_attributes": statements]]
    }
    return IdPRequest(
      vouched: vouched, signedIn: signedIn, answer: IdPAnswer(identity, parameters),
      attributes: attributes, returnsCredential: try body.bool("returnIdpCredential") ?? false)
  }

  /// Looks whose session it is, then has the provider verify the credential.
  private func request(_ parameters: IdPParameters) async throws -> IdPRequest {
    let signedIn = try await signedInIfAny()
    let pending = try body.filled("pendingToken") ?? parameters["pending_token"]
    let vouched: VouchedCredential
    if let pending {
      vouched = try await self.vouched(by: pending, of: parameters.provider)
    } else {
      vouched = try await graph.vouch(
        for: try await credential(of: parameters), linkingTo: signedIn?.account.id,
        by: asking(signedIn))
    }
    return IdPRequest(
      vouched: vouched, signedIn: signedIn, answer: IdPAnswer(vouched.identity, parameters),
      attributes: .null, returnsCredential: try body.bool("returnIdpCredential") ?? false)
  }

  /// What an earlier answer, or a browser's return, kept for this app.
  private func vouched(
    by token: String, of provider: ProviderID
  ) async throws -> VouchedCredential {
    do {
      let vouched = try await graph.vouched(
        by: token, session: try body.filled("sessionId").map(Self.digest(ofSession:)), by: caller)
      guard vouched.identity.provider == provider else { throw WireError("INVALID_PENDING_TOKEN") }
      return vouched
    } catch let error as AuthError where error.code == .invalidCredential {
      throw WireError("INVALID_PENDING_TOKEN")
    }
  }

  /// Who asks: the session that links, or somebody who is nobody yet.
  private func asking(_ signedIn: SignedIn?) -> Caller {
    var caller = signedIn?.caller ?? caller
    caller.client = client
    return caller
  }

  /// Signs in or links, and writes the answer of what came of it.
  private func enter(_ request: IdPRequest) async throws -> [String: JSONValue] {
    var caller = asking(request.signedIn)
    caller.client.credentials = request.answer.credentials
    let account: Account
    let session: SessionGrant
    let mergedFrom: [AccountID]
    var (isNewUser, isRecycled) = (false, false)
    if let signedIn = request.signedIn {
      let linked = try await graph.linkForSession(
        request.vouched, to: signedIn.account.id, showing: signedIn.token.secondFactor,
        attributes: request.attributes, by: caller)
      (account, session, mergedFrom) = (linked.account, linked.session, linked.mergedFrom)
    } else {
      let result = try await graph.signIn(
        request.vouched, knownOnly: try isReauthentication, attributes: request.attributes,
        by: caller)
      guard let grant = result.session else { throw WireError.internalError }
      (account, session, mergedFrom) = (result.account, grant, result.mergedFrom)
      (isNewUser, isRecycled) = (result.isNewUser, !result.replaced.isEmpty)
    }
    var answer = request.answer
    answer.follow(account)
    var members = answer.members
    if isNewUser { members["isNewUser"] = true }
    if isRecycled { members["emailRecycled"] = true }
    members["localId"] = .string(account.id.rawValue)
    members["tenantId"] = tenant.map(JSONValue.string)
    if !isEmulator {
      if let email = account.email, let given = request.vouched.identity.profile.email,
        (try? EmailAddress(given))?.matches(email) != true
      {
        members["originalEmail"] = .string(email.text)
      }
      members["pendingToken"] = .string(
        try await graph.keep(request.vouched, wasUsed: true).reveal())
    }
    members.merge(try await tokens(for: session, account, mergedFrom: mergedFrom)) { _, new in new }
    return members
  }

  /// Whether an account has to be there already: clients say so when somebody shows again who they are.
  ///
  /// The emulator opens one all the same.
  private var isReauthentication: Bool {
    get throws { try !isEmulator && body.bool("autoCreate") == false }
  }
}

/// A sign-in or a link whose credential is verified, before anything is decided.
struct IdPRequest: Sendable {
  let vouched: VouchedCredential
  let signedIn: SignedIn?
  let answer: IdPAnswer
  /// What the provider tells the session alone.
  let attributes: JSONValue
  /// Whether conflicts are answered with what the provider said.
  let returnsCredential: Bool

  /// Writes the answer where nobody was signed in: some of these are no errors on the wire.
  func failed(_ error: AuthError, _ call: Call) async throws -> [String: JSONValue] {
    var members = answer.members
    members["tenantId"] = call.tenant.map(JSONValue.string)
    switch error.code {
    case .secondFactorRequired:
      guard let resolver = error.resolver else { throw error }
      let account = try await account(call)
      if let account {
        members["localId"] = .string(account.id.rawValue)
        var answer = answer
        answer.follow(account)
        members["emailVerified"] = answer.members["emailVerified"]
      }
      members.merge(call.pendingSecondFactor(resolver)) { _, new in new }
      return members
    case .accountExistsWithDifferentCredential where signedIn == nil,
      .ambiguous where signedIn == nil:
      members["needConfirmation"] = true
      if try await !call.settings().signIn.hidesAccounts {
        try await nameAccount(in: &members, call)
      }
    default:
      let refusal = WireError(error)
      let isConflict = ["FEDERATED_USER_ID_ALREADY_LINKED", "EMAIL_EXISTS"].contains(refusal.code)
      guard returnsCredential, isConflict else { throw error }
      members["errorMessage"] = .string(refusal.code)
    }
    if !call.isEmulator {
      members["pendingToken"] = .string(
        try await call.graph.keep(vouched, wasUsed: false).reveal())
    }
    return members
  }

  /// The account that the sign-in or the link is about.
  private func account(_ call: Call) async throws -> Account? {
    if let signedIn { return signedIn.account }
    let (owner, sameEmail) = try await call.graph.accounts(led: vouched)
    return owner ?? sameEmail
  }

  /// Says whose address it is and how they sign in, which an app of a trusting project shows.
  private func nameAccount(
    in members: inout [String: JSONValue], _ call: Call
  ) async throws {
    guard let account = try await account(call) else { return }
    members["localId"] = .string(account.id.rawValue)
    var vendors: [JSONValue] = []
    for identity in account.identities {
      let name = JSONValue.string(identity.provider.rawValue)
      let isVendor = ![.password, .phone, .emailLink].contains(identity.provider)
      if isVendor && !vendors.contains(name) { vendors.append(name) }
    }
    members["verifiedProvider"] = .array(vendors)
  }
}
