import AuthCore
import IdentityToolkit

extension EmulatorBehavior {
  // The credentials are unsigned and made up, so a refusal may repeat them.
  func repeated(_ whole: @autoclosure () -> String, without parameters: String) -> String {
    whole()
  }

  /// Decodes the credential without asking a vendor, and then finds the session.
  func request(
    _ parameters: IdPParameters, _ handler: FederatedHandler
  ) async throws -> IdPRequest {
    let identity = try EmulatedIdentity(parameters)
    guard (try? handler.graph.providers.vendor(identity.provider)) != nil else {
      throw WireError(
        "INVALID_CREDENTIAL_OR_PROVIDER_ID",
        "Invalid IdP response/credential: \(parameters.place)")
    }
    let signedIn = try await handler.call.signedInIfAny()
    let verified = try await handler.graph.verify(
      identity.credential, linkingTo: signedIn?.account.id, by: handler.asking(signedIn))
    var attributes = JSONValue.null
    if let statements = identity.attributes {
      attributes = ["firebase": ["sign_in_attributes": statements]]
    }
    return IdPRequest(
      verified: verified, signedIn: signedIn, answer: IdPAnswer(identity, parameters),
      attributes: attributes,
      returnsCredential: try handler.body.bool("returnIdpCredential") ?? false)
  }

  var takesPendingTokens: Bool { false }

  func keepsCredential(of request: IdPRequest) -> @Sendable (AuthError?) -> Bool {
    { _ in false }
  }

  func signsInOnly(_ body: WireFields) throws(WireError) -> Bool { false }
  func originalEmail(of account: Account, given: String?) -> String? { nil }

  func checkReturn(to url: ContinueURL, _ settings: SignInSettings, publicURL: String)
    throws(WireError)
  {}

  func accounts(given email: EmailAddress, _ call: Call) async throws -> [Account] {
    var after: AccountID?
    while true {
      try Task.checkCancellation()
      let page = try await call.graph.accounts(after: after, limit: 500, in: call.scope)
      let found = page.filter { account in
        account.identities.contains { identity in
          identity.profile.email.flatMap { try? EmailAddress($0) }?.matches(email) == true
        }
      }
      if !found.isEmpty { return found }
      guard let last = page.last, page.count == 500 else { return [] }
      after = last.id
    }
  }
}
