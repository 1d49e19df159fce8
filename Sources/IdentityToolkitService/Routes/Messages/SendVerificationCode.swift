import AuthCore
import IdentityToolkit

extension Call {
  /// `accounts:sendVerificationCode`: sends a code to a phone.
  func sendVerificationCode() async throws -> Answer {
    guard tenant == nil else { throw WireError("UNSUPPORTED_TENANT_OPERATION") }
    guard try await settings().signIn.isOpen(.phone) else {
      throw WireError("OPERATION_NOT_ALLOWED")
    }
    let number = try phoneNumber(in: body, missing: "MISSING_PHONE_NUMBER")
    try await requireApp(body, for: number)
    // Production tells this only to whoever shows the code: it says something about the account.
    if isEmulator, try await guardsAccount(number) { throw WireError.phoneIsNoFirstFactor }
    let challenge = try await graph.sendChallenge(
      .phone, ChallengeRequest(recipient: number.text, requestedFrom: client.address), by: caller)
    return .json(["sessionInfo": .string(challenge.verificationID)])
  }

  /// A number of a body; the emulator calls one that is missing badly formed.
  func phoneNumber(in fields: WireFields, missing: String) throws -> PhoneNumber {
    guard let text = try fields.filled("phoneNumber") else {
      throw isEmulator ? WireError("INVALID_PHONE_NUMBER", "Invalid format.") : WireError(missing)
    }
    return try PhoneNumber(normalizing: text)
  }

  private func guardsAccount(_ number: PhoneNumber) async throws -> Bool {
    let scope = scope
    return try await graph.store.read { reader in
      try reader.accountIDs(withPhone: number.text, in: scope).contains { id in
        try reader.account(id, in: scope)?.secondFactors.isEmpty == false
      }
    }
  }
}

extension WireError {
  /// One stolen number would be both factors.
  static let phoneIsNoFirstFactor = WireError(
    "UNSUPPORTED_FIRST_FACTOR",
    "A phone number cannot be set as a first factor on an SMS based MFA user.")
}
