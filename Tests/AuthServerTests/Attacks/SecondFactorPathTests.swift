import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// Every path to tokens, tried on an account with a second factor.
@Suite struct SecondFactorPathTests {
  /// A sign-in method over HTTP; returns the answer that would have tokens.
  enum Path: String, CaseIterable, Sendable {
    case password, emailLink, phone, customToken, passkey, refresh, resetPassword, actionCode
  }

  private static let number = "+15555550100"
  private static let ownNumber = "+15555550111"

  @Test(arguments: ServerMode.allCases, Path.allCases)
  func `attack 24: tokens come only after the second factor, on every path`(
    _ mode: ServerMode, _ path: Path
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      if path == .passkey && mode == .emulator {
        _ = try await home.post(
          "/v2/accounts/passkeyEnrollment:finalize",
          ["idToken": .string(ada.idToken), "authenticatorRegistrationResponse": ["id": "key"]])
      }
      if path == .phone {
        let shown = try await home.phoneCode(Self.ownNumber)
        _ = try await home.post(
          "/v1/accounts:signInWithPhoneNumber",
          [
            "sessionInfo": .string(shown.session), "code": .string(shown.code),
            "idToken": .string(ada.idToken),
          ])
      }
      let before = try await home.signIn(ada.email)
      _ = try await home.enroll(Self.number, try before.text("idToken"))
      home.clock.advance(seconds: 2)
      let reply = try await Self.enter(home, ada, after: before, by: path)
      if path == .customToken && mode == .emulator {
        // As in Firebase's emulator; the token comes from the app's own server.
        #expect(try claims(of: try reply.text("idToken"))["user_id"]?.stringValue == ada.uid)
        return
      }

      #expect(reply.json["idToken"] == nil, "\(reply.text)")
      #expect(reply.json["refreshToken"] == nil)
      #expect(reply.json["access_token"] == nil || path == .refresh)
      if reply.json["mfaPendingCredential"] != nil {
        let done = try await home.showPhone(reply, Self.number)
        #expect(done.status == 200, "\(done.text)")
        #expect(
          try claims(of: try done.text("idToken"))["firebase"]?["sign_in_second_factor"] == "phone")
      }
    }
  }

  private static func enter(
    _ home: ServerHome, _ ada: Person, after before: Reply, by path: Path
  ) async throws -> Reply {
    switch path {
    case .password: return try await home.signIn(ada.email)
    case .emailLink:
      return try await home.post(
        "/v1/accounts:signInWithEmailLink",
        [
          "email": .string(ada.email),
          "oobCode": .string(try await home.code("EMAIL_SIGNIN", to: ada.email)),
        ])
    case .phone:
      let asked = try await home.post(
        "/v1/accounts:sendVerificationCode", ["phoneNumber": .string(ownNumber)])
      guard asked.status == 200 else { return asked }
      return try await home.post(
        "/v1/accounts:signInWithPhoneNumber",
        [
          "sessionInfo": .string(try asked.text("sessionInfo")),
          "code": .string(try #require(home.messages.last(to: ownNumber)).proof.reveal()),
        ])
    case .customToken:
      return try await home.post(
        "/v1/accounts:signInWithCustomToken",
        ["token": .string(JSONValue.object(["uid": .string(ada.uid)]).text)])
    case .passkey:
      return try await home.post(
        "/v2/accounts/passkeySignIn:finalize",
        ["authenticatorAuthenticationResponse": ["id": "key"]])
    case .refresh:
      let reply = try await home.post(
        "/v1/token",
        ["grantType": "refresh_token", "refreshToken": .string(try before.text("refreshToken"))])
      if home.mode == .production { #expect(reply.status == 400, "\(reply.text)") }
      return reply
    case .resetPassword:
      return try await home.post(
        "/v1/accounts:resetPassword",
        [
          "oobCode": .string(try await home.code("PASSWORD_RESET", to: ada.email)),
          "newPassword": "a new password",
        ])
    case .actionCode:
      return try await home.post(
        "/v1/accounts:update",
        [
          "oobCode": .string(
            try await home.code("PASSWORD_RESET", to: ada.email)),
          "returnSecureToken": true,
        ])
    }
  }
}
