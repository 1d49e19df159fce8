import AuthClient
import AuthCore
import BuiltInProviders
import Foundation
import Testing

@Suite("Second factors on every backend") struct MultiFactorTests {
  private typealias Resolver = AuthClient.MultiFactorResolver

  /// What a first factor alone gives.
  private func resolver(
    _ work: () async throws -> AuthDataResult
  ) async throws -> Resolver {
    let error = try await expectError(.secondFactorRequired) { try await work() }
    return try #require(error.resolver)
  }

  /// The code that went to the phone of a hint.
  private func assertion(
    _ resolver: Resolver, _ hint: AuthClient.MultiFactorInfo, _ home: AuthHome,
    number: String = AuthHome.number
  ) async throws -> PhoneMultiFactorAssertion {
    let provider = PhoneAuthProvider.provider(auth: resolver.auth)
    let id = try await provider.verifyPhoneNumber(
      with: try #require(hint as? PhoneMultiFactorInfo), multiFactorSession: resolver.session)
    return PhoneMultiFactorGenerator.assertion(
      with: provider.credential(
        withVerificationID: id, verificationCode: try home.lastMessage(to: number)))
  }

  private func code(_ secret: TOTPSecret, _ home: AuthHome) throws -> String {
    try #require(HMACTOTP().code(for: Secret(secret.sharedSecretKey()), at: home.timestamp))
  }

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
      let resolver = try await resolver {
        try await auth.signIn(withEmail: "ada@example.com", password: AuthHome.password)
      }
      #expect(auth.currentUser == nil && resolver.auth === auth)
      let hint = try #require(resolver.hints.first as? PhoneMultiFactorInfo)
      #expect(resolver.hints.count == 1 && hint.uid == factor.uid)
      #expect(hint.displayName == "my phone")
      #expect(hint.phoneNumber.hasSuffix("0100") && hint.phoneNumber != AuthHome.number)
      #expect(hint.phoneNumber.contains("*"))
      let result = try await resolver.resolveSignIn(
        with: try await assertion(resolver, hint, home))
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
          with: secret, oneTimePassword: try code(secret, home)), displayName: "my app")

      let factor = try #require(ada.multiFactor.enrolledFactors.first)
      #expect(factor.factorID == PhoneMultiFactorInfo.TOTPMultiFactorID)
      #expect(factor is TOTPMultiFactorInfo && factor.displayName == "my app")
      #expect(try await ada.getIDTokenResult().signInSecondFactor == "totp")
      home.pass(seconds: 60)
      let auth = home.another()
      let resolver = try await resolver {
        try await auth.signIn(withEmail: "ada@example.com", password: AuthHome.password)
      }
      #expect(resolver.hints.map(\.uid) == [factor.uid])
      try await expectError(.invalidVerificationCode) {
        try await resolver.resolveSignIn(
          with: TOTPMultiFactorGenerator.assertionForSignIn(
            withEnrollmentID: factor.uid,
            oneTimePassword: try code(secret, home) == "000000" ? "111111" : "000000"))
      }
      let result = try await resolver.resolveSignIn(
        with: TOTPMultiFactorGenerator.assertionForSignIn(
          withEnrollmentID: factor.uid, oneTimePassword: try code(secret, home)))
      #expect(result.user.uid == ada.uid && auth.currentUser === result.user)
      #expect(try await result.user.getIDTokenResult().signInSecondFactor == "totp")
    }
  }

  @Test(arguments: Backend.emulators)
  func `the emulator has no authenticator apps`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      let session = try await ada.multiFactor.session()
      try await expectError(.internalError) {
        try await TOTPMultiFactorGenerator.generateSecret(with: session)
      }
      #expect(home.auth.currentUser === ada)
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
      let resolver = try await resolver {
        try await auth.signIn(withEmail: "ada@example.com", password: AuthHome.password)
      }
      #expect(resolver.hints.map(\.displayName) == ["first", "second"])
      #expect(resolver.hints.map(\.uid) == ada.multiFactor.enrolledFactors.map(\.uid))
      let shown = try await assertion(resolver, resolver.hints[1], home, number: "+15555550101")
      #expect(try await resolver.resolveSignIn(with: shown).user.uid == ada.uid)
    }
  }

  @Test(arguments: Backend.allCases)
  func `after a wrong code the right one still counts`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      try await home.enrollPhone(for: try await home.verifiedAda())
      let auth = home.another()
      let resolver = try await resolver {
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
      // Production looks at what waited, the emulator at the code, and both are used up.
      try await expectError(
        backend.isEmulator ? .invalidVerificationID : .invalidMultiFactorSession
      ) {
        try await resolver.resolveSignIn(with: shown(right))
      }
    }
  }

  @Test(arguments: Backend.allCases, [Way.google, .emailLink])
  func `every first factor waits for the second one`(
    _ backend: Backend, _ way: Way
  ) async throws {
    try await withAuth(backend) { home in
      let user = try await home.auth.signIn(with: try await way.credential(home)).user
      try await home.enrollPhone(for: user)
      let auth = home.another()
      let resolver = try await resolver {
        try await auth.signIn(with: try await way.credential(home))
      }
      let hint = try #require(resolver.hints.first)
      let result = try await resolver.resolveSignIn(
        with: try await assertion(resolver, hint, home))

      #expect(result.user.uid == user.uid)
      #expect(try await result.user.getIDTokenResult().signInProvider == way.providerID)
    }
  }

  @Test(arguments: Backend.allCases)
  func `showing again who one is takes the second factor too`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      try await home.enrollPhone(for: ada)
      home.pass(seconds: 3000)
      let resolver = try await resolver {
        try await ada.reauthenticate(with: home.emailAndPassword("ada@example.com"))
      }
      let hint = try #require(resolver.hints.first)
      let result = try await resolver.resolveSignIn(
        with: try await assertion(resolver, hint, home))

      #expect(result.user === ada && home.auth.currentUser === ada)
      #expect(try await ada.getIDTokenResult().authDate == home.now)
      try await ada.updatePassword(to: "another one")
    }
  }

  @Test(arguments: Backend.allCases)
  func `somebody else's second factor does not show who one is`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let bo = try await home.verifiedAda("bo@example.com", on: home.another())
      try await home.enrollPhone(for: bo)
      let ada = try await home.ada()
      let resolver = try await resolver {
        try await ada.reauthenticate(with: home.emailAndPassword("bo@example.com"))
      }
      let hint = try #require(resolver.hints.first)
      try await expectError(.userMismatch) {
        try await resolver.resolveSignIn(with: try await assertion(resolver, hint, home))
      }

      #expect(home.auth.currentUser === ada && ada.email == "ada@example.com")
    }
  }

  @Test(arguments: Backend.emulators)
  func `a link of a session from before the factor waits for it, and is then done`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let auth = home.another()
      let ada = try await home.verifiedAda()
      let twin = try await auth.signIn(
        withEmail: "ada@example.com", password: AuthHome.password
      ).user
      try await home.enrollPhone(for: ada)
      let resolver = try await resolver {
        try await twin.link(with: try home.google("ada@gmail.example"))
      }
      let hint = try #require(resolver.hints.first)
      #expect(twin.providerIDs == ["password"] && auth.currentUser === twin)
      let result = try await resolver.resolveSignIn(
        with: try await assertion(resolver, hint, home))

      #expect(result.user === twin && auth.currentUser === twin)
      #expect(twin.providerIDs == ["google.com", "password"] && twin.uid == ada.uid)
    }
  }

  @Test(arguments: Backend.production)
  func `production ends the sessions from before the factor`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let auth = home.another()
      let ada = try await home.verifiedAda()
      let twin = try await auth.signIn(
        withEmail: "ada@example.com", password: AuthHome.password
      ).user
      home.pass(seconds: 2)
      try await home.enrollPhone(for: ada)
      try await expectError(.userTokenExpired) {
        try await twin.link(with: try home.google("ada@gmail.example"))
      }

      #expect(auth.currentUser == nil && home.auth.currentUser === ada)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a guest goes up in a guarded account only after its factor`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      try await home.usePolicy("join", MergingTests.joins(into: "existing"))
      let bo = try await home.another().signIn(with: try home.google("bo@example.com")).user
      try await home.enrollPhone(for: bo)
      home.pass(seconds: 2)
      let guest = try await home.auth.signInAnonymously().user
      let gone = guest.uid
      let error = try await expectError(.credentialAlreadyInUse) {
        try await guest.link(with: try home.google("bo@example.com"))
      }
      let updated = try #require(error.updatedCredential)
      let resolver = try await resolver { try await home.auth.signIn(with: updated) }
      #expect(home.auth.currentUser === guest && guest.isAnonymous)
      let hint = try #require(resolver.hints.first)
      let result = try await resolver.resolveSignIn(
        with: try await assertion(resolver, hint, home))

      #expect(result.user.uid == bo.uid && home.auth.currentUser === result.user)
      let merged = try await home.auth.merge(guest, into: result.user)
      #expect(merged.user === result.user && merged.mergedFrom == [gone])
      #expect(try await result.user.getIDTokenResult().signInSecondFactor == "phone")
      #expect(try await home.accountCount() == 1)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a merge keeps the factors that were shown`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      try await home.enrollPhone(for: ada)
      let other = try await home.auth.signIn(with: try home.google("o@gmail.example")).user
      let result = try await home.auth.merge(other, into: ada)

      #expect(result.user === ada && ada.multiFactor.enrolledFactors.count == 1)
      #expect(try await ada.getIDTokenResult().signInSecondFactor == "phone")
      let error = try await expectError(.secondFactorRequired) {
        try await home.another().signIn(with: try home.google("o@gmail.example"))
      }
      #expect(error.resolver?.hints.count == 1)
    }
  }

  @Test(arguments: Backend.allCases)
  func `factors are taken away one after the other`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      try await home.enrollPhone("+15555550100", for: ada, name: "first")
      try await home.enrollPhone("+15555550101", for: ada, name: "second")
      let factors = ada.multiFactor.enrolledFactors
      try await expectError(.multiFactorInfoNotFound) {
        try await ada.multiFactor.unenroll(withFactorUID: "none")
      }
      try await ada.multiFactor.unenroll(with: factors[0])
      #expect(ada.multiFactor.enrolledFactors.map(\.uid) == [factors[1].uid])
      #expect(home.auth.currentUser === ada)
      try await ada.multiFactor.unenroll(withFactorUID: factors[1].uid)

      #expect(ada.multiFactor.enrolledFactors.isEmpty && home.auth.currentUser === ada)
      try await ada.reload()
      #expect(try await ada.getIDTokenResult().signInSecondFactor == "")
      let again = try await home.another().signIn(
        withEmail: "ada@example.com", password: AuthHome.password)
      #expect(again.user.uid == ada.uid && again.user.multiFactor.enrolledFactors.isEmpty)
    }
  }

  @Test(arguments: Backend.allCases)
  func `who may not enrol is told why`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      try await expectError(.unverifiedEmail) { try await home.enrollPhone(for: ada) }
      try await home.verifyEmail(of: ada)
      try await home.enrollPhone(for: ada)
      try await expectError(.secondFactorAlreadyEnrolled) { try await home.enrollPhone(for: ada) }
      #expect(home.auth.currentUser === ada)
      let guest = try await home.another().signInAnonymously().user
      try await expectError(.unsupportedFirstFactor) {
        try await home.enrollPhone("+15555550102", for: guest)
      }
    }
  }

  @Test(arguments: Backend.production)
  func `there is room for five factors`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      for last in 0..<5 { try await home.enrollPhone("+1555555010\(last)", for: ada) }
      try await expectError(.maximumSecondFactorCountExceeded) {
        try await home.enrollPhone("+15555550109", for: ada)
      }
      #expect(ada.multiFactor.enrolledFactors.count == 5)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a session or an assertion of the other kind is refused at once`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      try await home.enrollPhone(for: ada)
      let enrolling = try await ada.multiFactor.session()
      let auth = home.another()
      let resolver = try await resolver {
        try await auth.signIn(withEmail: "ada@example.com", password: AuthHome.password)
      }
      let hint = try #require(resolver.hints.first as? PhoneMultiFactorInfo)
      let provider = PhoneAuthProvider.provider(auth: auth)
      home.traffic.forget()

      try await expectError(.invalidMultiFactorSession) {
        try await provider.verifyPhoneNumber(with: hint, multiFactorSession: enrolling)
      }
      try await expectError(.invalidMultiFactorSession) {
        try await provider.verifyPhoneNumber(
          "+15555550101", multiFactorSession: resolver.session)
      }
      try await expectError(.invalidMultiFactorSession) {
        try await TOTPMultiFactorGenerator.generateSecret(with: resolver.session)
      }
      try await expectError(.missingMultiFactorSession) {
        try await provider.verifyPhoneNumber(with: hint, multiFactorSession: nil)
      }
      let signIn = TOTPMultiFactorGenerator.assertionForSignIn(
        withEnrollmentID: "x", oneTimePassword: "123456")
      try await expectError(.invalidMultiFactorSession) {
        try await ada.multiFactor.enroll(with: signIn, displayName: nil)
      }
      #expect(home.traffic.paths.isEmpty && home.auth.currentUser === ada)
    }
  }
}
