import AuthCore
import IdentityToolkit
import SessionTokens

/// Codes that come by e-mail or to a phone, and what they are good for.
struct MessageHandler: RequestHandler {
  let call: Call

  /// Signs in with a credential, or links it where somebody is signed in.
  func enter(_ credential: AuthCredential, _ signedIn: SignedIn?) async throws -> SignInOutcome {
    if let signedIn {
      let linked = try await graph.linkForSession(
        credential, to: signedIn.account.id, showing: signedIn.token.secondFactor,
        by: signedIn.caller)
      await letters.sendTakeBacks(of: linked.receipt, linked.account)
      return SignInOutcome(
        account: linked.account, isNewUser: false, session: linked.session,
        mergedFrom: linked.mergedFrom)
    }
    let result = try await graph.signIn(credential, by: caller)
    guard let session = result.session else { throw WireError.internalError }
    return SignInOutcome(
      account: result.account, isNewUser: result.isNewUser, session: session,
      mergedFrom: result.mergedFrom)
  }

  /// The body's address in the form in which the protocol repeats it.
  func loweredEmail() throws -> EmailAddress {
    guard let text = try body.filled("email") else { throw WireError("MISSING_EMAIL") }
    return try WireFields.email(text)
  }

  /// A number of a body.
  func phoneNumber(in fields: WireFields, missing: String) throws -> PhoneNumber {
    guard let text = try fields.filled("phoneNumber") else {
      throw behavior.missingNumber(missing)
    }
    return try PhoneNumber(normalizing: text)
  }
}

/// An account that a credential let somebody into, or that a credential was added to.
struct SignInOutcome: Sendable {
  let account: Account
  let isNewUser: Bool
  let session: SessionGrant
  var mergedFrom: [AccountID] = []

  func tokens(_ call: Call) async throws -> [String: JSONValue] {
    try await call.tokens(for: session, account, mergedFrom: mergedFrom)
  }
}
