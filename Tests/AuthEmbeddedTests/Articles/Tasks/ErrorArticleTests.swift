import AuthClient
import Foundation
import NIOConcurrencyHelpers
import Testing

/// The code of the article on errors, run on every backend.
@Suite struct `The code of the article "Errors and retries"` {
  @Test(arguments: Backend.allCases)
  func `says what to do after an error`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let user = try await home.verifiedAda()
      try await home.enrollPhone(for: user, name: "My phone")
      let shown = NIOLockedValueBox<[String]>([])
      let show = { @Sendable (text: String) in shown.withLockedValue { $0.append(text) } }
      await ErrorSnippets.signIn(
        home.auth, with: home.emailAndPassword("ada@example.com"), show)
      #expect(shown.withLockedValue(\.self) == ["Confirm the sign-in with My phone."])

      home.traffic.cut()
      await ErrorSnippets.signIn(
        home.auth, with: home.emailAndPassword("ada@example.com"), show)
      home.traffic.cut(false)
      await ErrorSnippets.signIn(
        home.auth, with: home.emailAndPassword("ada@example.com", "a wrong one"), show)
      let texts = shown.withLockedValue(\.self)
      #expect(texts.count == 3 && texts[1] == "Try again later.")
      #expect(!texts[2].isEmpty && texts[2] != texts[1])
      #expect(sentence(about: AuthErrorCode.requiresRecentLogin) == "Sign in again first.")
    }
  }

  @Test(arguments: Backend.allCases)
  func `names the account that has the address`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      try await home.verifiedAda()
      try home.auth.signOut()
      let error = try await expectError(.accountExistsWithDifferentCredential) {
        try await home.auth.signIn(with: home.facebook("ada@example.com"))
      }
      #expect(
        sentence(about: error) == "There is an account with ada@example.com. Sign in to it.")
    }
  }

  @Test(arguments: Backend.allCases)
  func `repeats what may succeed later, and nothing else`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let user = try await home.ada()
      let calls = NIOLockedValueBox(0)
      home.traffic.cut()
      try await retrying(after: [.zero, .zero]) {
        let count = calls.withLockedValue { count in
          count += 1
          return count
        }
        if count == 3 { home.traffic.cut(false) }
        try await user.reload()
      }
      #expect(calls.withLockedValue(\.self) == 3)

      try await expectError(.weakPassword) {
        try await retrying(after: [.zero]) {
          calls.withLockedValue { $0 += 1 }
          try await user.updatePassword(to: "short")
        }
      }
      #expect(calls.withLockedValue(\.self) == 4)
    }
  }
}
