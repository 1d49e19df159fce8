import AuthCore
import IdentityToolkit

extension MessageHandler {
  /// `accounts:signInWithPhoneNumber`: signs in with a phone's code, or adds the number to an account.
  ///
  /// If the number belongs to another account, a link is answered with a temporary proof, which signs in to that
  /// account.
  func signInWithPhoneNumber() async throws -> Answer {
    guard tenant == nil else { throw WireError("UNSUPPORTED_TENANT_OPERATION") }
    guard try await isOpen(.phone) else {
      throw behavior.closed(.phone)
    }
    let shown = try ShownPhone(call)
    let signedIn = try await call.signedInIfAny()
    let credential = try graph.providers.credential(.phone, shown.fields)
    do {
      if let operation = try body.choice("operation", Self.operations) {
        try await behavior.hold(to: operation, credential, signedIn, call)
      }
      let outcome = try await enter(credential, signedIn)
      var answer = try await outcome.tokens(call)
      answer["isNewUser"] = .bool(outcome.isNewUser)
      answer["localId"] = .string(outcome.account.id.rawValue)
      if let number = outcome.account.phoneNumber { answer["phoneNumber"] = .string(number.text) }
      return .json(.object(answer))
    } catch let error as AuthError where error.code == .credentialAlreadyInUse {
      guard let signedIn, !shown.isProof else { throw WireError("PHONE_NUMBER_EXISTS") }
      return try await temporaryProof(credential, signedIn)
    } catch let error as AuthError {
      throw Self.phoneError(error, shown)
    }
  }

  /// The operations of a client in the order of their numbers.
  private static let operations = [
    "VERIFY_OP_UNSPECIFIED", "SIGN_UP_OR_IN", "REAUTH", "UPDATE", "LINK",
  ]

  private func temporaryProof(
    _ credential: Credential, _ signedIn: SignedIn
  ) async throws -> Answer {
    let proof = try await graph.makeTemporaryProof(with: credential, by: signedIn.caller)
    return .json([
      "phoneNumber": .string(proof.number.text), "temporaryProof": .string(proof.text.reveal()),
      "temporaryProofExpiresIn": .string("\(TemporaryProof.lifetime)"),
    ])
  }

  private static func phoneError(_ error: AuthError, _ shown: ShownPhone) -> any Error {
    switch error.code {
    case .unsupportedFirstFactor, .secondFactorRequired: WireError.phoneIsNoFirstFactor
    case .tooManyRequests: error
    case _ where shown.isProof && error.step == .credential: WireError("INVALID_TEMPORARY_PROOF")
    case .invalidCredential: WireError("INVALID_SESSION_INFO")
    default: error
    }
  }
}

/// The proof that a person read a phone's messages: the code that was sent, or a temporary proof.
struct ShownPhone {
  let isProof: Bool
  let fields: [String: String]

  init(_ call: Call) throws(WireError) {
    let body = call.body
    if let proof = try body.filled("temporaryProof") {
      guard let number = try body.filled("phoneNumber") else {
        throw WireError("MISSING_PHONE_NUMBER")
      }
      isProof = true
      fields = ["temporaryProof": proof, "phoneNumber": number]
      return
    }
    guard let session = try body.filled("sessionInfo") else {
      throw WireError("MISSING_SESSION_INFO")
    }
    guard let code = try body.filled("code") else { throw WireError("MISSING_CODE") }
    isProof = false
    fields = ["verificationID": session, "verificationCode": code]
  }
}
