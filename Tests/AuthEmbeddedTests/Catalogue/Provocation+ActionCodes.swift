import AuthClient
import AuthCore
import AuthTesting
import Foundation

/// Links and codes by e-mail.
extension Provocation {
  static let actionCodes: [Provocation] = [
    Provocation(.expiredActionCode, on: Backend.production) { home in
      try await home.ada()
      try await home.auth.sendPasswordReset(withEmail: "ada@example.com")
      home.pass(seconds: 4 * 24 * 3600)
      _ = try await home.auth.checkActionCode(try home.lastCode(to: "ada@example.com"))
    },
    Provocation(.invalidActionCode) { try await $0.auth.applyActionCode("none") },
    Provocation(.missingEmail) { try await $0.auth.sendPasswordReset(withEmail: "") },
    Provocation(.missingAndroidPackageName, on: Backend.production) { home in
      let settings = ActionCodeSettings.inApp
      settings.setAndroidPackageName("", installIfNotAvailable: true, minimumVersion: nil)
      try await home.auth.sendSignInLink(
        toEmail: "ada@example.com", actionCodeSettings: settings)
    },
    Provocation(.unauthorizedDomain, on: Backend.production) { home in
      let settings = ActionCodeSettings.inApp
      settings.url = URL(string: "https://another.example/")
      try await home.auth.sendSignInLink(
        toEmail: "ada@example.com", actionCodeSettings: settings)
    },
    Provocation(.invalidContinueURI) { home in
      let settings = ActionCodeSettings.inApp
      settings.url = URL(string: "nowhere")
      try await home.auth.sendSignInLink(
        toEmail: "ada@example.com", actionCodeSettings: settings)
    },
    Provocation(.missingContinueURI, on: Backend.production) { home in
      let settings = ActionCodeSettings.inApp
      settings.url = nil
      try await home.auth.sendSignInLink(
        toEmail: "ada@example.com", actionCodeSettings: settings)
    },
    Provocation(.invalidHostingLinkDomain, on: Backend.production) { home in
      let settings = ActionCodeSettings.inApp
      settings.linkDomain = "another.example"
      try await home.auth.sendSignInLink(
        toEmail: "ada@example.com", actionCodeSettings: settings)
    },
  ]
}
