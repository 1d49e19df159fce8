public import AuthCore

/// Signs in by a code of six digits that is sent to a phone.
///
/// The code alone determines the number: the number is stored with the code and is no field of the credential.
public struct PhoneProvider: AuthProvider, ChallengeIssuing {
  /// The ID `phone`.
  public let id = ProviderID.phone
  /// The provider's name, builder and configuration fields.
  public let manifest = ProviderManifest(
    name: "Phone", kind: .phone,
    builders: [
      CredentialBuilder(
        "credential",
        fields: [
          CredentialField("verificationID", "the ID that sendCode returned"),
          CredentialField("verificationCode", secret: true, "the six digits from the message"),
        ]),
      CredentialBuilder(
        "temporaryProof",
        fields: [
          CredentialField(
            "temporaryProof", secret: true, "the proof from the error of a refused link"),
          CredentialField("phoneNumber", type: .phoneNumber, "the phone number of the proof"),
        ]),
    ],
    configuration: [
      ConfigurationField(
        "codeSeconds", .number, "the lifetime of a code in seconds, by default 300"),
      ConfigurationField(
        "allowedRegions", .list, "the calling codes that get messages, such as +49; all if not set"),
      ConfigurationField(
        "testNumbers", .names, "numbers that get no message, each with the code that is right"),
    ])

  private static let purpose = "phone-sign-in"
  private static let usualSeconds: Int64 = 300

  /// Makes the provider.
  public init() {}

  /// Makes a code and sends it.
  ///
  /// Throws `invalid-phone-number`, `operation-not-allowed` if messages to the number's region are not allowed,
  /// `too-many-requests` if the number got too many codes in the last hour, and the sender's errors. A test number
  /// gets no message.
  public func issueChallenge(
    _ request: ChallengeRequest, _ context: VerificationContext
  ) async throws -> Challenge {
    let codes = try context.openCodes(of: id)
    let number = try number(request.recipient)
    let lifetime = try lifetime(context.settings)
    if try TestNumbers(context.settings).code(of: number) != nil {
      return try await TestNumbers.issue(codes, for: number, request.account, lifetime: lifetime)
    }
    try AllowedRegions(context).check(number)
    let issued = try await codes.issue(
      Self.purpose, for: number.text, account: request.account, lifetime: lifetime)
    try await context.deliver(
      OutgoingMessage(
        kind: .phoneSignIn, scope: context.scope, recipient: number.text, proof: issued.code,
        expiresAt: issued.expiresAt, requestedFrom: request.requestedFrom, intent: request.intent))
    return Challenge(verificationID: issued.id, expiresAt: issued.expiresAt)
  }

  /// Verifies the code or temporary proof and returns an identity with its phone number.
  ///
  /// Throws `invalid-verification-id` for an unknown code or one that another account has to use,
  /// `invalid-verification-code`, `code-expired`, and `too-many-requests` after too many wrong guesses. The code is
  /// not used up here, but together with the change that the identity causes.
  public func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let codes = try context.openCodes(of: id)
    if let proof = credential["temporaryProof"] {
      let proven = try await codes.check(
        temporaryProof: proof, for: try number(try credential.required("phoneNumber")))
      return identity(proven.number, proven.uses)
    }
    let verificationID = try credential.required("verificationID")
    // Some people type the spaces that the message shows in the code.
    let code = try credential.required("verificationCode").replacing(" ", with: "")
    let checked: OneTimeCodes.Checked =
      if let test = TestNumbers.Challenge(verificationID) {
        try await TestNumbers(context.settings).check(test, code: code, codes)
      } else {
        try await codes.check(Self.purpose, id: verificationID, code: code)
      }
    try context.checkOwner(of: checked)
    return identity(try number(checked.subject), [checked.use])
  }

  private func identity(_ number: PhoneNumber, _ uses: [OneTimeUse]) -> VerifiedIdentity {
    var identity = VerifiedIdentity(
      provider: id, key: .phone(number), profile: IdentityProfile(phoneNumber: number.text),
      phoneNumber: number)
    identity.uses = uses
    return identity
  }

  /// Throws the errors of a recipient that cannot get a code, without sending one.
  public func checkRecipient(_ recipient: String, _ context: VerificationContext) async throws {
    let number = try number(recipient)
    guard try TestNumbers(context.settings).code(of: number) == nil else { return }
    try AllowedRegions(context).check(number)
  }

  /// The code of a test number; nil for any other number.
  public func fixedCode(
    for recipient: String, _ context: VerificationContext
  ) async throws -> Secret<String>? {
    try TestNumbers(context.settings).code(of: try number(recipient)).map(Secret.init)
  }

  /// The lifetime of a code, in seconds.
  func lifetime(_ settings: ProviderSettings) throws(AuthError) -> Int64 {
    try settings.seconds("codeSeconds", default: Self.usualSeconds, in: 30...3600)
  }

  private func number(_ text: String) throws(AuthError) -> PhoneNumber {
    do throws(AuthError) {
      return try PhoneNumber(text)
    } catch {
      var error = error
      error.step = .credential
      throw error
    }
  }
}
