import AuthCore
import FakeVendors
import Testing
import TestSupport

extension HostileToken {
  /// The aim of the attack.
  enum Attempt {
    /// To have an address believed.
    case address
    /// To sign claims that the vendor has not signed.
    case signature
    /// To choose the key that verifies.
    case key
    /// To use a true signature for another purpose.
    case claims
  }

  var attempt: Attempt {
    switch self {
    case .emailVerifiedFalse, .emailVerifiedTextFalse, .emailVerifiedNumber, .emailVerifiedYes,
      .emailVerifiedAbsent, .emailIsNone, .noEmail:
      .address
    case .algorithmNone, .algorithmNoneOddCase, .hs256WithPublicKey, .hs256WithKeyNumber,
      .emptySignature, .corruptedSignature, .tamperedPayload, .notThreeParts, .notAToken:
      .signature
    case .foreignSignature, .unknownKeyID, .keyIDTraversal, .duplicateKeyID, .keyOfAnotherType,
      .jkuHeader, .x5uHeader, .jwkHeader, .critHeader:
      .key
    case .wrongIssuer, .issuerMissing, .wrongAudience, .audienceMissing, .audienceEmpty,
      .untrustedAudienceToo, .expired, .expiryMissing, .notYetValid, .nonceMissing, .nonceWrong,
      .subjectMissing, .subjectEmpty, .subjectNumeric, .subjectBeyondDoublePrecision:
      .claims
    }
  }

  static func all(of attempt: Attempt) -> [HostileToken] {
    allCases.filter { $0.attempt == attempt }
  }
}

@Suite(.serialized) struct `Hostile ID tokens` {
  @Test func `every token that must be refused is tried`() {
    for token in HostileToken.allCases {
      #expect(token.mustBeRefused == (token.attempt != .address), "\(token)")
    }
  }

  @Test(arguments: Vendor.withIDTokens, HostileToken.all(of: .signature))
  func `attack 16: a token that the vendor has not signed is refused`(
    _ vendor: Vendor, _ token: HostileToken
  ) async throws {
    try await expectRefusal(of: token, by: vendor)
  }

  @Test(arguments: Vendor.withIDTokens, HostileToken.all(of: .key))
  func `attack 17: a token does not choose its key`(
    _ vendor: Vendor, _ token: HostileToken
  ) async throws {
    try await expectRefusal(of: token, by: vendor)
  }

  @Test(arguments: Vendor.withIDTokens, HostileToken.all(of: .claims))
  func `attack 14: a token that was made for something else is refused`(
    _ vendor: Vendor, _ token: HostileToken
  ) async throws {
    try await expectRefusal(of: token, by: vendor)
  }

  @Test(arguments: Vendor.withIDTokens, HostileToken.all(of: .address))
  func `attack 5: an unverified address links nothing`(
    _ vendor: Vendor, _ token: HostileToken
  ) async throws {
    try await withProviders { home in
      try await home.trust(vendor.provider)
      let victim = try await home.createAccount(email: FakePerson.ada.email, verified: true)
      let attacker = FakePerson(
        subject: "660169484474386276336", email: FakePerson.ada.email, name: "Mallory")

      do {
        let result = try await home.signIn(
          try await home.credential(vendor.tokenWay, for: attacker, hostile: token))
        #expect(result.account.id != victim.id)
        #expect(result.account.email == nil)
      } catch let error as AuthError {
        #expect(error.code == .accountExistsWithDifferentCredential)
      }

      #expect(try await home.account(victim.id) == victim)
      let alone = try await home.signIn(
        try await home.credential(vendor.tokenWay, for: .bo, hostile: token))
      #expect(alone.isNewUser)
      #expect(!alone.account.emailVerified)
      #expect(alone.account.identities.first?.emailVerified == false)
    }
  }

  /// Signs in with the token of a victim's address, and expects that nothing changed.
  private func expectRefusal(
    of token: HostileToken, by vendor: Vendor, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await withProviders { home in
      try await home.trust(vendor.provider)
      let victim = try await home.createAccount(email: FakePerson.ada.email, verified: true)
      let credential = try await home.credential(vendor.tokenWay, for: .ada, hostile: token)

      let error = await expectError(
        .invalidCredential, .missingOrInvalidNonce, sourceLocation: sourceLocation
      ) { try await home.signIn(credential) }

      #expect(error?.step == .token, sourceLocation: sourceLocation)
      #expect(error?.remedy != nil, sourceLocation: sourceLocation)
      #expect(try await home.account(victim.id) == victim, sourceLocation: sourceLocation)
      #expect(try await home.accountCount() == 1, sourceLocation: sourceLocation)
      let event = try await home.newestEvent()
      #expect(event.action == .signIn, sourceLocation: sourceLocation)
      #expect(event.errorCode == error?.code.rawValue, sourceLocation: sourceLocation)
      #expect(
        event.details["provider"] == .string(vendor.provider.rawValue),
        sourceLocation: sourceLocation)
      for path in [HostileToken.attackerKeysPath, HostileToken.attackerCertificatePath] {
        #expect(
          home.vendors[vendor].server.requests(to: path).isEmpty, sourceLocation: sourceLocation)
      }
    }
  }
}
