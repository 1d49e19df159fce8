import AuthClient
import Foundation
import Testing

@Suite("Waiting for a second factor, on every backend") struct WaitingTests {
  @Test(arguments: Backend.allCases, [Way.google, .emailLink])
  func `every first factor waits for the second one`(
    _ backend: Backend, _ way: Way
  ) async throws {
    try await withAuth(backend) { home in
      let user = try await home.auth.signIn(with: try await way.credential(home)).user
      try await home.enrollPhone(for: user)
      let auth = home.another()
      let resolver = try await home.resolver {
        try await auth.signIn(with: try await way.credential(home))
      }
      let hint = try #require(resolver.hints.first)
      let result = try await resolver.resolveSignIn(
        with: try await home.assertion(resolver, hint))

      #expect(result.user.uid == user.uid)
      #expect(try await result.user.getIDTokenResult().signInProvider == way.providerID)
    }
  }

  @Test(arguments: Backend.allCases)
  func `reauthentication takes the second factor too`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      try await home.enrollPhone(for: ada)
      home.pass(seconds: 3000)
      let resolver = try await home.resolver {
        try await ada.reauthenticate(with: home.emailAndPassword("ada@example.com"))
      }
      let hint = try #require(resolver.hints.first)
      let result = try await resolver.resolveSignIn(
        with: try await home.assertion(resolver, hint))

      #expect(result.user === ada && home.auth.currentUser === ada)
      #expect(try await ada.getIDTokenResult().authDate == home.now)
      try await ada.updatePassword(to: "another one")
    }
  }

  @Test(arguments: Backend.allCases)
  func `another account's second factor does not reauthenticate`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let bo = try await home.verifiedAda("bo@example.com", on: home.another())
      try await home.enrollPhone(for: bo)
      let ada = try await home.ada()
      let resolver = try await home.resolver {
        try await ada.reauthenticate(with: home.emailAndPassword("bo@example.com"))
      }
      let hint = try #require(resolver.hints.first)
      try await expectError(.userMismatch) {
        try await resolver.resolveSignIn(with: try await home.assertion(resolver, hint))
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
      let resolver = try await home.resolver {
        try await twin.link(with: try home.google("ada@gmail.example"))
      }
      let hint = try #require(resolver.hints.first)
      #expect(twin.providerIDs == ["password"] && auth.currentUser === twin)
      let result = try await resolver.resolveSignIn(
        with: try await home.assertion(resolver, hint))

      #expect(result.user === twin && auth.currentUser === twin)
      #expect(twin.providerIDs == ["google.com", "password"] && twin.uid == ada.uid)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a guest goes up in a guarded account only after its factor`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      try await home.usePolicy("join", MergePolicyTests.joins(into: "existing"))
      let bo = try await home.another().signIn(with: try home.google("bo@example.com")).user
      try await home.enrollPhone(for: bo)
      home.pass(seconds: 2)
      let guest = try await home.auth.signInAnonymously().user
      let gone = guest.uid
      let error = try await expectError(.credentialAlreadyInUse) {
        try await guest.link(with: try home.google("bo@example.com"))
      }
      let updated = try #require(error.updatedCredential)
      let resolver = try await home.resolver { try await home.auth.signIn(with: updated) }
      #expect(home.auth.currentUser === guest && guest.isAnonymous)
      let hint = try #require(resolver.hints.first)
      let result = try await resolver.resolveSignIn(
        with: try await home.assertion(resolver, hint))

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
      #expect(error.multiFactorResolver?.hints.count == 1)
    }
  }
}
