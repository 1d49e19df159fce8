import AuthCore
import IdentityToolkit
import SessionTokens

extension FederatedHandler {
  /// Signs in or links with the credential of an identity provider.
  func signInWithIdp() async throws -> Answer {
    var request = try await behavior.request(try IdPParameters(body, behavior), self)
    do {
      return .record(try await enter(request))
    } catch let error as AuthError {
      // An ended session takes precedence as the error, unless the change itself may have ended it.
      if request.signedIn != nil, error.code != .unsureCommit {
        request.signedIn = try await call.signedInIfAny()
      }
      return .record(try await request.failed(error, call))
    }
  }

  /// Signs in or links, and makes the answer to the outcome.
  private func enter(_ request: IdPRequest) async throws -> IdPAnswer {
    var caller = asking(request.signedIn)
    caller.client.credentials = request.answer.credentials
    caller.client.statements = request.statements
    var answer = request.answer
    let account: Account
    let session: SessionGrant
    let mergedFrom: [AccountID]
    if let signedIn = request.signedIn {
      let linked = try await graph.linkForSession(
        request.verified, to: signedIn.account.id, showing: signedIn.token.secondFactor,
        attributes: request.attributes, keepsCredential: behavior.keepsCredential(of: request),
        by: caller)
      await letters.sendTakeBacks(of: linked.receipt, linked.account)
      (account, session, mergedFrom) = (linked.account, linked.session, linked.mergedFrom)
      answer.pendingToken = linked.pendingToken?.reveal()
    } else {
      let result = try await graph.signIn(
        request.verified, knownOnly: try behavior.signsInOnly(body), attributes: request.attributes,
        keepsCredential: behavior.keepsCredential(of: request), by: caller)
      guard let grant = result.session else { throw WireError.internalError }
      (account, session, mergedFrom) = (result.account, grant, result.mergedFrom)
      answer.isNewUser = result.isNewUser
      answer.isRecycled = !result.replaced.isEmpty
      answer.pendingToken = result.pendingToken?.reveal()
    }
    answer.follow(account)
    answer.localID = account.id
    answer.tenant = tenant
    answer.originalEmail = behavior.originalEmail(
      of: account, given: request.verified.identity.profile.email)
    answer.session = try await call.wireTokens(for: session, account, mergedFrom: mergedFrom)
    return answer
  }
}

/// A sign-in or a link whose credential is verified, before any decision.
struct IdPRequest: Sendable {
  let verified: VerifiedCredential
  var signedIn: SignedIn?
  let answer: IdPAnswer
  /// The provider's statements for the session alone.
  let attributes: JSONValue
  /// True if the answer to a conflict contains the vendor's credential.
  let returnsCredential: Bool

  /// The provider's statements, for the app's functions.
  var statements: VendorStatements {
    var statements = VendorStatements()
    statements.profile = answer.rawUserInfo
    statements.attributes = attributes["firebase"]?["sign_in_attributes"] ?? .null
    return statements
  }

  /// Tells whether a refusal is an answer on the wire, instead of an error.
  func isAnswered(_ error: AuthError) -> Bool {
    switch error.code {
    case .secondFactorRequired: true
    case .accountExistsWithDifferentCredential where signedIn == nil,
      .ambiguous where signedIn == nil:
      true
    default:
      returnsCredential
        && ["FEDERATED_USER_ID_ALREADY_LINKED", "EMAIL_EXISTS"].contains(WireError(error).code)
    }
  }

  /// Makes the answer to a refusal that has one; throws any other.
  func failed(_ error: AuthError, _ call: Call) async throws -> IdPAnswer {
    guard isAnswered(error) else { throw error }
    var answer = answer
    answer.tenant = call.tenant
    answer.pendingToken = error.pendingToken?.reveal()
    switch error.code {
    case .secondFactorRequired:
      guard let resolver = error.resolver else { throw error }
      if let account = try await account(call) {
        answer.localID = account.id
        answer.follow(account)
      }
      answer.secondFactor = call.secondFactor(resolver)
      return answer
    case .accountExistsWithDifferentCredential, .ambiguous:
      answer.needsConfirmation = true
      if try await !call.settings().signIn.hidesAccounts, let account = try await account(call) {
        answer.name(account)
      }
    default:
      answer.errorMessage = WireError(error).code
    }
    return answer
  }

  /// Returns the account of the sign-in or the link.
  private func account(_ call: Call) async throws -> Account? {
    if let signedIn { return signedIn.account }
    let (owner, sameEmail) = try await call.graph.accounts(matching: verified)
    return owner ?? sameEmail
  }
}

extension IdPAnswer {
  /// Adds the account of the address and its providers, which the app of a trusting project shows.
  fileprivate mutating func name(_ account: Account) {
    localID = account.id
    verifiedProviders = account.vendors(besides: [.password, .phone, .emailLink])
  }
}
