import AuthClient
import AuthCore
import Foundation
import Testing

/// Sessions, and changes of one's account.
extension Provocation {
  static let accounts: [Provocation] = [
    Provocation(.userDisabled) { home in
      try await home.disable(try await home.ada())
      try await home.enter()
    },
    Provocation(.emailAlreadyInUse) { home in
      try await home.ada()
      try await home.ada()
    },
    Provocation(.invalidEmail) { try await $0.ada("nobody") },
    Provocation(.wrongPassword) { home in
      try await home.ada()
      try await home.auth.signIn(withEmail: "ada@example.com", password: "battery staple")
    },
    Provocation(.userNotFound) { try await $0.enter() },
    Provocation(.requiresRecentLogin, on: Backend.production) { home in
      let ada = try await home.ada()
      home.pass(seconds: 3000)
      try await ada.delete()
    },
    Provocation(.invalidUserToken) { home in
      _ = try await home.restored(replacing: \.refreshToken).getIDToken(forcingRefresh: true)
    },
    Provocation(.userTokenExpired, on: Backend.production) { home in
      let ada = try await home.ada()
      try await home.revokeSessions(of: ada)
      try await ada.reload()
    },
    Provocation(.userMismatch) { home in
      try await home.ada("bo@example.com", on: home.another())
      try await home.ada().reauthenticate(with: home.emailAndPassword("bo@example.com"))
    },
    Provocation(.weakPassword, keys: [NSLocalizedFailureReasonErrorKey]) { home in
      try await home.auth.createUser(withEmail: "ada@example.com", password: "short")
    },
    Provocation(.passwordDoesNotMeetRequirements, on: Backend.production) { home in
      try await home.settings {
        $0.signIn.passwordPolicy.enforcement = .enforce
        $0.signIn.passwordPolicy.needsDigit = true
      }
      try await home.ada()
    },
    Provocation(.emailChangeNeedsVerification, on: Backend.production) { home in
      let ada = try await home.verifiedAda()
      try await home.enrollPhone(for: ada)
      try await ada.updateEmail(to: "lovelace@example.com")
    },
    Provocation(.tenantIDMismatch) { home in
      let ada = try await home.ada()
      home.auth.tenantID = "another"
      try await home.auth.updateCurrentUser(ada)
    },
    Provocation(
      .internalError, keys: [NSUnderlyingErrorKey],
      { home in
        home.traffic.answer(
          "/v1/accounts:signUp", #"{"error": {"code": 400, "message": "SOMETHING_NEW"}}"#,
          status: 400)
        do {
          try await home.auth.signInAnonymously()
        } catch let error as NSError {
          let beneath = try #require(error.underlying)
          #expect(beneath.domain == "FIRAuthInternalErrorDomain" && beneath.code == 3)
          let answer = beneath.userInfo["FIRAuthErrorUserInfoDeserializedResponseKey"]
          let refusal = (answer as? [String: Any])?["error"] as? [String: Any]
          #expect(refusal?["message"] as? String == "SOMETHING_NEW")
          throw error
        }
      }),
  ]
}

extension AuthHome {
  /// Signs in to an account that may have been opened before.
  func enter() async throws {
    try await auth.signIn(withEmail: "ada@example.com", password: Self.password)
  }

  /// The tokens of a session, which a test can spoil.
  struct KeptTokens {
    var idToken: String
    var refreshToken: String
  }

  /// Returns the user of an app that restarts with an invalid token.
  func restored(replacing token: KeyPath<KeptTokens, String>) async throws -> User {
    let storage = MemorySessionStorage()
    let ada = try await ada(on: another(storage: storage))
    let kept = KeptTokens(
      idToken: try await ada.getIDToken(), refreshToken: try #require(ada.refreshToken))
    let text = String(decoding: try #require(try storage.load()), as: UTF8.self)
    let whole = kept[keyPath: token]
    let spoilt = text.replacing(whole, with: "none")
      .replacing(whole.replacing("/", with: "\\/"), with: "none")
    try #require(spoilt != text)
    try storage.save(Data(spoilt.utf8))
    return try #require(another(storage: storage).currentUser)
  }
}
