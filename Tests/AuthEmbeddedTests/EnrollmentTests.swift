import AuthClient
import Foundation
import Testing

@Suite("Enrolling and withdrawing second factors on every backend") struct EnrollmentTests {
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
  func `a refused enrolment has its reason`(_ backend: Backend) async throws {
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
  func `an account has room for five factors`(_ backend: Backend) async throws {
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
      let resolver = try await home.resolver {
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
