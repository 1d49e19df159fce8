import AuthCore
import IdentityToolkit

extension Call {
  /// `accounts:sendOobCode`: makes a code and sends it as a link, or gives both to an admin.
  func sendOobCode() async throws -> Answer {
    let request = try await OobRequest(self)
    var answer: [String: JSONValue] = ["kind": "identitytoolkit#GetOobConfirmationCodeResponse"]
    let (email, issued) =
      switch request.operation {
      case .emailSignIn: try await signInCode(request)
      case .resetPassword: try await resetCode(request)
      default: try await ownAddressCode(request)
      }
    answer["email"] = .string(email)
    guard let issued else { return .json(.object(answer)) }
    let continueURL = request.continueURL?.text
    if request.returnsLink {
      answer["oobCode"] = .string(issued.code.reveal())
      answer["oobLink"] = .string(link(around: issued, continueURL: continueURL).reveal())
    } else if request.operation == .resetPassword, !isPrivileged, !isEmulator,
      try await settings().signIn.hidesAccounts
    {
      // A message that did not leave would tell that there is somebody to get it.
      await sendQuietly(issued, continueURL: continueURL)
    } else {
      try await send(issued, continueURL: continueURL)
    }
    return .json(.object(answer))
  }

  private typealias Made = (email: String, issued: IssuedActionCode?)

  private func signInCode(_ request: OobRequest) async throws -> Made {
    guard try await settings().signIn.isOpen(.emailLink) else {
      throw WireError("OPERATION_NOT_ALLOWED")
    }
    let email = try loweredEmail()
    return (email.text, try await make(request, email: email, by: caller))
  }

  private func resetCode(_ request: OobRequest) async throws -> Made {
    let email = try loweredEmail()
    do {
      return (email.text, try await make(request, email: email, by: caller))
    } catch let error as AuthError where error.code == .userNotFound {
      throw WireError("EMAIL_NOT_FOUND")
    }
  }

  /// Codes that verify or change an account's own address: for its session, or for an admin.
  private func ownAddressCode(_ request: OobRequest) async throws -> Made {
    let isChange = request.operation == .verifyAndChangeEmail
    let newEmail = isChange ? try newEmail() : nil
    let hasToken = try body.filled("idToken") != nil
    // The emulator takes an admin's word only where the admin gets the link.
    if isPrivileged, !hasToken, request.returnsLink || !isEmulator {
      let email = try loweredEmail()
      return (email.text, try await make(request, email: email, newEmail: newEmail, by: caller))
    }
    let signedIn = try await signedIn(missing: isChange ? "MISSING_ID_TOKEN" : "INVALID_ID_TOKEN")
    guard let email = signedIn.account.email else { throw WireError("MISSING_EMAIL") }
    return (
      email.text, try await make(request, email: nil, newEmail: newEmail, by: signedIn.caller)
    )
  }

  private func make(
    _ request: OobRequest, email: EmailAddress?, newEmail: EmailAddress? = nil, by caller: Caller
  ) async throws -> IssuedActionCode? {
    try await graph.makeActionCode(
      ActionCodeRequest(
        request.operation, email: email, newEmail: newEmail,
        continueURL: request.continueURL?.text), by: caller)
  }

  /// The body's address in the form in which the protocol repeats it.
  func loweredEmail() throws -> EmailAddress {
    guard let text = try body.filled("email") else { throw WireError("MISSING_EMAIL") }
    return try WireFields.email(text)
  }

  private func newEmail() throws -> EmailAddress {
    guard let text = try body.filled("newEmail") else { throw WireError("MISSING_NEW_EMAIL") }
    guard let email = try? WireFields.email(text), (try? email.checkSpecials()) != nil else {
      throw WireError("INVALID_NEW_EMAIL")
    }
    return email
  }
}
