import AuthCore
import IdentityToolkit
import SessionTokens

/// Codes by e-mail or phone, and the operations that use them.
struct MessageHandler: RequestHandler {
  let call: Call

  /// Returns the body's address in lower case, as the protocol repeats it.
  func loweredEmail() throws -> EmailAddress {
    guard let text = try body.filled("email") else { throw WireError("MISSING_EMAIL") }
    return try WireFields.email(text)
  }

  /// Returns the phone number in a body.
  func phoneNumber(in fields: WireFields, missing: String) throws -> PhoneNumber {
    guard let text = try fields.filled("phoneNumber") else {
      throw behavior.missingNumber(missing)
    }
    return try PhoneNumber(normalizing: text)
  }
}

extension RequestHandler {
  /// Signs in with a credential, or links it if there is a session.
  func enter(_ credential: Credential, _ signedIn: SignedIn?) async throws -> SignInOutcome {
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
}

/// The result of a sign-in or a link.
struct SignInOutcome: Sendable {
  let account: Account
  let isNewUser: Bool
  let session: SessionGrant
  var mergedFrom: [AccountID] = []

  func tokens(_ call: Call) async throws -> [String: JSONValue] {
    try await call.tokens(for: session, account, mergedFrom: mergedFrom)
  }
}
