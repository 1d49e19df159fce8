import AuthCore
import IdentityToolkit

extension MessageHandler {
  /// `accounts:sendOobCode`: makes a code and sends it in a link, or returns both to an admin.
  ///
  /// The message is sent after the answer, so that neither the answer's time nor a failure reveals that an account
  /// exists.
  func sendOobCode() async throws -> Answer {
    let request = try await OobRequest(call)
    let asked = try await asked(request)
    var answer: [String: JSONValue] = [
      "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": .string(asked.email.text),
    ]
    let continueURL = request.continueURL?.text
    guard request.returnsLink else {
      try await refusingUnknownAddress(request) {
        try await graph.sendActionCode(
          asked.code, as: letters.letter(continueURL: continueURL, domain: request.linkDomain),
          by: asked.caller)
      }
      services.courier.wake()
      return .json(.object(answer))
    }
    let issued = try await refusingUnknownAddress(request) {
      try await graph.makeActionCode(asked.code, by: asked.caller)
    }
    if let issued {
      answer["oobCode"] = .string(issued.code.reveal())
      answer["oobLink"] = .string(
        letters.link(
          around: issued, continueURL: continueURL, domain: request.linkDomain
        ).reveal())
    }
    return .json(.object(answer))
  }

  /// A requested code, its caller, and the address that the answer repeats.
  private typealias Asked = (code: ActionCodeRequest, caller: Caller, email: EmailAddress)

  private func asked(_ request: OobRequest) async throws -> Asked {
    switch request.operation {
    case .emailSignIn:
      guard try await isOpen(.emailLink) else {
        throw behavior.closed(.emailLink)
      }
      return asked(request, for: try loweredEmail())
    case .resetPassword: return asked(request, for: try loweredEmail())
    default: return try await askedByOwner(request)
    }
  }

  private func asked(
    _ request: OobRequest, for email: EmailAddress, newEmail: EmailAddress? = nil
  ) -> Asked {
    (
      ActionCodeRequest(
        request.operation, email: email, newEmail: newEmail,
        continueURL: request.continueURL?.text), caller, email
    )
  }

  /// Returns a code that verifies or changes an account's own address, for its session or for an admin.
  private func askedByOwner(_ request: OobRequest) async throws -> Asked {
    let isChange = request.operation == .verifyAndChangeEmail
    let newEmail = isChange ? try newEmail() : nil
    let hasToken = try body.filled("idToken") != nil
    if isPrivileged, !hasToken, behavior.believesAdmin(request) {
      return asked(request, for: try loweredEmail(), newEmail: newEmail)
    }
    let missing = isChange ? "MISSING_ID_TOKEN" : "INVALID_ID_TOKEN"
    let signedIn = try await call.signedIn(missing: missing)
    guard let email = signedIn.account.email else { throw WireError("MISSING_EMAIL") }
    let code = ActionCodeRequest(
      request.operation, newEmail: newEmail, continueURL: request.continueURL?.text)
    return (code, signedIn.caller, email)
  }

  /// Converts the error for an address without an account to that of a reset.
  private func refusingUnknownAddress<Result>(
    _ request: OobRequest, _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let error as AuthError
      where error.code == .userNotFound && request.operation == .resetPassword
    {
      throw WireError("EMAIL_NOT_FOUND")
    }
  }

  private func newEmail() throws -> EmailAddress {
    guard let text = try body.filled("newEmail") else { throw WireError("MISSING_NEW_EMAIL") }
    guard let email = try? WireFields.email(text), (try? email.checkSpecials()) != nil else {
      throw WireError("INVALID_NEW_EMAIL")
    }
    return email
  }
}
