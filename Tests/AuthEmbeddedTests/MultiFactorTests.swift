import AuthClient
import Foundation
import Testing

@Suite("Second factors on every backend") struct MultiFactorTests {
  @Test(arguments: Backend.allCases)
  func `a phone is enrolled, and asked for from then on`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      let (tokens, _) = home.auth.hearingTokens()
      home.pass(seconds: 2)
      try await home.enrollPhone(for: ada, name: "my phone")

      let factor = try #require(ada.multiFactor.enrolledFactors.first as? PhoneMultiFactorInfo)
      #expect(ada.multiFactor.enrolledFactors.count == 1)
      #expect(factor.factorID == PhoneMultiFactorInfo.PhoneMultiFactorID)
      #expect(factor.displayName == "my phone" && factor.phoneNumber == AuthHome.number)
      #expect(abs(factor.enrollmentDate.timeIntervalSince(home.now)) < 1)
      #expect(try await ada.getIDTokenResult().signInSecondFactor == "phone")
      #expect(home.auth.currentUser === ada)
      #expect(await tokens.uids.allSatisfy { $0 == ada.uid })

      let auth = home.another()
      let resolver = try await home.resolver {
        try await auth.signIn(withEmail: "ada@example.com", password: AuthHome.password)
      }
      #expect(auth.currentUser == nil && resolver.auth === auth)
      let hint = try #require(resolver.hints.first as? PhoneMultiFactorInfo)
      #expect(resolver.hints.count == 1 && hint.uid == factor.uid)
      #expect(hint.displayName == "my phone")
      #expect(hint.phoneNumber.hasSuffix("0100") && hint.phoneNumber != AuthHome.number)
      #expect(hint.phoneNumber.contains("*"))
      let result = try await resolver.resolveSignIn(
        with: try await home.assertion(resolver, hint))
      #expect(result.user.uid == ada.uid && auth.currentUser === result.user)
      #expect(result.additionalUserInfo == nil)
      #expect(result.user.multiFactor.enrolledFactors.map(\.uid) == [factor.uid])
      let token = try await result.user.getIDTokenResult()
      #expect(token.signInSecondFactor == "phone" && token.signInProvider == "password")
      home.pass(seconds: 3500)
      #expect(try await result.user.getIDTokenResult().signInSecondFactor == "phone")
    }
  }

  @Test(arguments: Backend.production)
  func `an authenticator app is enrolled, and asked for from then on`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      let secret = try await TOTPMultiFactorGenerator.generateSecret(
        with: try await ada.multiFactor.session())
      let url = secret.generateQRCodeURL(withAccountName: "ada@example.com", issuer: "Shop")
      #expect(
        url == "otpauth://totp/Shop:ada@example.com?secret=\(secret.sharedSecretKey())"
          + "&issuer=Shop&algorithm=SHA1&digits=6")
      try await ada.multiFactor.enroll(
        with: TOTPMultiFactorGenerator.assertionForEnrollment(
          with: secret, oneTimePassword: try home.code(secret)), displayName: "my app")

      let factor = try #require(ada.multiFactor.enrolledFactors.first)
      #expect(factor.factorID == PhoneMultiFactorInfo.TOTPMultiFactorID)
      #expect(factor is TOTPMultiFactorInfo && factor.displayName == "my app")
      #expect(try await ada.getIDTokenResult().signInSecondFactor == "totp")
      home.pass(seconds: 60)
      let auth = home.another()
      let resolver = try await home.resolver {
        try await auth.signIn(withEmail: "ada@example.com", password: AuthHome.password)
      }
      #expect(resolver.hints.map(\.uid) == [factor.uid])
      try await expectError(.invalidVerificationCode) {
        try await resolver.resolveSignIn(
          with: TOTPMultiFactorGenerator.assertionForSignIn(
            withEnrollmentID: factor.uid,
            oneTimePassword: try home.code(secret) == "000000" ? "111111" : "000000"))
      }
      let result = try await resolver.resolveSignIn(
        with: TOTPMultiFactorGenerator.assertionForSignIn(
          withEnrollmentID: factor.uid, oneTimePassword: try home.code(secret)))
      #expect(result.user.uid == ada.uid && auth.currentUser === result.user)
      #expect(try await result.user.getIDTokenResult().signInSecondFactor == "totp")
    }
  }

  @Test(arguments: Backend.allCases)
  func `hints come in the order of enrolment, and any of them will do`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      for (number, name) in [("+15555550100", "first"), ("+15555550101", "second")] {
        home.pass(seconds: 2)
        try await home.enrollPhone(number, for: ada, name: name)
      }
      #expect(ada.multiFactor.enrolledFactors.map(\.displayName) == ["first", "second"])

      let auth = home.another()
      let resolver = try await home.resolver {
        try await auth.signIn(withEmail: "ada@example.com", password: AuthHome.password)
      }
      #expect(resolver.hints.map(\.displayName) == ["first", "second"])
      #expect(resolver.hints.map(\.uid) == ada.multiFactor.enrolledFactors.map(\.uid))
      let shown = try await home.assertion(
        resolver, resolver.hints[1], number: "+15555550101")
      #expect(try await resolver.resolveSignIn(with: shown).user.uid == ada.uid)
    }
  }

  @Test(arguments: Backend.allCases)
  func `after a wrong code the right one still counts`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      try await home.enrollPhone(for: try await home.verifiedAda())
      let auth = home.another()
      let resolver = try await home.resolver {
        try await auth.signIn(withEmail: "ada@example.com", password: AuthHome.password)
      }
      let provider = PhoneAuthProvider.provider(auth: auth)
      let id = try await provider.verifyPhoneNumber(
        with: try #require(resolver.hints.first as? PhoneMultiFactorInfo),
        multiFactorSession: resolver.session)
      let right = try home.lastMessage(to: AuthHome.number)
      let shown = { (code: String) in
        PhoneMultiFactorGenerator.assertion(
          with: provider.credential(withVerificationID: id, verificationCode: code))
      }
      try await expectError(.invalidVerificationCode) {
        try await resolver.resolveSignIn(with: shown(right == "000000" ? "111111" : "000000"))
      }
      #expect(auth.currentUser == nil)
      let result = try await resolver.resolveSignIn(with: shown(right))
      #expect(auth.currentUser === result.user)
      // Production checks the pending sign-in, the emulator the code, and both are used up.
      try await expectError(
        backend.isEmulator ? .invalidVerificationID : .invalidMultiFactorSession
      ) {
        try await resolver.resolveSignIn(with: shown(right))
      }
    }
  }
}
