import AuthCore
import IdentityToolkit

extension MessageHandler {
  /// `accounts:sendVerificationCode`: sends a code to a phone.
  func sendVerificationCode() async throws -> Answer {
    guard tenant == nil else { throw WireError("UNSUPPORTED_TENANT_OPERATION") }
    guard try await isOpen(.phone) else {
      throw behavior.closed(.phone)
    }
    let number = try phoneNumber(in: body, missing: "MISSING_PHONE_NUMBER")
    try await call.takeMessage(to: number)
    try await AppVerification(call: call).require(body, for: number)
    try await behavior.checkRecipient(number, call)
    let challenge = try await graph.sendChallenge(
      .phone, ChallengeRequest(recipient: number.text, requestedFrom: client.address), by: caller)
    return .json(["sessionInfo": .string(challenge.verificationID)])
  }
}

extension WireError {
  /// The error for an account whose first factor is a phone: one stolen number would be both factors.
  static let phoneIsNoFirstFactor = WireError(
    "UNSUPPORTED_FIRST_FACTOR",
    "A phone number cannot be set as a first factor on an SMS based MFA user.")
}
