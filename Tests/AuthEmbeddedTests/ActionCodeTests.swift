import AuthClient
import AuthTesting
import Foundation
import Testing

@Suite("Codes by e-mail on every backend") struct ActionCodeTests {
  @Test(arguments: Backend.allCases)
  func `a forgotten password is set anew by a code, once`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada(on: home.another())
      try await home.auth.sendPasswordReset(withEmail: "ada@example.com")
      let code = try home.lastCode(to: "ada@example.com")

      let info = try await home.auth.checkActionCode(code)
      #expect(info.operation == .passwordReset && info.email == "ada@example.com")
      #expect(info.previousEmail == nil)
      #expect(try await home.auth.verifyPasswordResetCode(code) == "ada@example.com")
      try await expectError(.weakPassword) {
        try await home.auth.confirmPasswordReset(withCode: code, newPassword: "short")
      }
      home.pass(seconds: 2)
      try await home.auth.confirmPasswordReset(withCode: code, newPassword: "another one")
      let again = try await home.auth.signIn(
        withEmail: "ada@example.com", password: "another one")
      #expect(again.user.uid == ada.uid)
      try await expectError(.invalidActionCode) {
        try await home.auth.confirmPasswordReset(withCode: code, newPassword: "a third one")
      }
      guard !home.backend.isEmulator else { return }
      try await expectError(.userTokenExpired) { try await ada.reload() }
    }
  }

  @Test(arguments: Backend.allCases)
  func `an address is verified by a code`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      try await ada.sendEmailVerification()
      let code = try home.lastCode(to: "ada@example.com")
      #expect(try await home.another().checkActionCode(code).operation == .verifyEmail)
      try await home.another().applyActionCode(code)

      #expect(!ada.isEmailVerified)
      try await ada.reload()
      #expect(ada.isEmailVerified)
      #expect(
        try await ada.getIDTokenResult(forcingRefresh: true).claims["email_verified"] as? Bool
          == true)
      try await expectError(.invalidActionCode) {
        try await home.another().applyActionCode(code)
      }
    }
  }

  @Test(arguments: Backend.allCases)
  func `an address changes once the new one is shown to be the person's`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      try await ada.sendEmailVerification(beforeUpdatingEmail: "lovelace@example.com")
      let code = try home.lastCode(to: "lovelace@example.com")
      let info = try await home.another().checkActionCode(code)

      #expect(info.operation == .verifyAndChangeEmail)
      #expect(info.email == "lovelace@example.com" && info.previousEmail == "ada@example.com")
      try await ada.reload()
      #expect(ada.email == "ada@example.com")
      try await home.another().applyActionCode(code)
      let again = try await home.another().signIn(
        withEmail: "lovelace@example.com", password: AuthHome.password)
      #expect(again.user.uid == ada.uid && again.user.isEmailVerified)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a sign-in link shows its purpose`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let link = try await home.sentLink("ada@example.com")
      let url = try #require(ActionCodeURL(link: link))

      #expect(url.operation == .emailLink)
      #expect(url.continueURL?.absoluteString == "https://app.example/start")
      let info = try await home.auth.checkActionCode(try #require(url.code))
      #expect(info.operation == .emailLink)
    }
  }

  @Test(arguments: Backend.production)
  func `a code is good for a time alone`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      try await home.ada(on: home.another())
      try await home.auth.sendPasswordReset(
        withEmail: "ada@example.com", actionCodeSettings: .inApp)
      home.pass(seconds: 4 * 24 * 3600)
      let code = try home.lastCode(to: "ada@example.com")

      try await expectError(.expiredActionCode) { try await home.auth.checkActionCode(code) }
      try await expectError(.expiredActionCode) {
        try await home.auth.confirmPasswordReset(withCode: code, newPassword: "another one")
      }
    }
  }

  @Test(arguments: Backend.allCases)
  func `a code that is none is refused`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      try await expectError(.invalidActionCode) { try await home.auth.checkActionCode("none") }
      try await expectError(.invalidActionCode) { try await home.auth.applyActionCode("none") }
      try await expectError(.invalidActionCode) {
        try await home.auth.signIn(withEmail: "ada@example.com", link: "https://app.example/")
      }
      try await expectError(.missingEmail) { try await home.auth.sendPasswordReset(withEmail: "") }
    }
  }

  @Test(arguments: Backend.allCases)
  func `an unknown address gets no message, and is reported if the project allows it`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      try await expectError(.userNotFound) {
        try await home.auth.sendPasswordReset(withEmail: "nobody@example.com")
      }
      try await home.hideAccounts()
      try await home.auth.sendPasswordReset(withEmail: "nobody@example.com")
      #expect(home.messages.messages.isEmpty)
      try await expectError(.invalidCredential) {
        try await home.auth.signIn(withEmail: "nobody@example.com", password: "opensesame")
      }
    }
  }
}
