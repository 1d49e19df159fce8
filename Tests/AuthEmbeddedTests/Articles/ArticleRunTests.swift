import AuthClient
import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Foundation
import Testing

/// The articles' code, run on every backend.
@Suite struct `The code of the articles on the client` {
  @Test(arguments: Backend.allCases)
  func `links a second provider, and unlinks it`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let user = try await home.ada()
      let google = try #require(
        try home.google("ada@work.example", subject: "1815") as? OAuthCredential)
      let result = try await LinkingSnippets.link(
        user, idToken: try #require(google.idToken), accessToken: google.accessToken ?? "")
      #expect(result.user === user && user.providerIDs == ["google.com", "password"])

      let facebook = try #require(home.facebook("ada@social.example") as? OAuthCredential)
      let person = FakePerson(subject: "7", email: "ada@company.example", emailVerified: true)
      let workToken =
        try home.vendors?.oidc.idToken(for: person, nonce: "a nonce")
        ?? home.work("ada@company.example").idToken
      let credentials = LinkingSnippets.credentials(
        facebookToken: try #require(facebook.accessToken),
        workToken: try #require(workToken), appleToken: "a token", nonce: "a nonce",
        fullName: nil, email: "ada@example.com",
        password: AuthHome.password)
      #expect(
        credentials.map(\.provider) == ["facebook.com", "oidc.work", "password", "apple.com"])
      try await user.link(with: credentials[1])
      let linked = await withCheckedContinuation { continuation in
        LinkingSnippets.link(
          user, with: credentials[0], { continuation.resume(returning: $0.count) },
          { _ in continuation.resume(returning: 0) })
      }
      #expect(linked == 4)
      let refused = try await LinkingSnippets.refused(
        credentials[0], user, shownAgain: credentials[2])
      #expect(refused.hasPrefix("There is one"))

      try await LinkingSnippets.unlink(user)
      #expect(user.providerIDs == ["google.com", "oidc.work", "password"])
    }
  }

  @Test(arguments: Backend.production)
  func `ends what a person does not know after a reset`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      try await ada.link(with: try home.google("eve@gmail.example"))
      try await home.auth.sendPasswordReset(withEmail: "ada@example.com")
      home.pass(seconds: 2)
      let shown = try await WaysInSnippets.reset(
        home.auth, code: try home.lastCode(to: "ada@example.com"), password: "another one")
      #expect(shown.map(\.kind) == ["password", "provider", "sessions", "mailbox"])
      let user = try await home.auth.signIn(
        withEmail: "ada@example.com", password: "another one"
      ).user
      let stay = try await endUnknownWays(into: user) { $0.kind != "provider" }
      #expect(stay.map(\.kind) == ["password", "sessions", "mailbox"])
      #expect(user.providerIDs == ["password"])
    }
  }

  @Test(arguments: Backend.production)
  func `reauthenticates a person`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let user = try await home.ada()
      home.pass(seconds: 600)
      let said = try await LinkingSnippets.refused(
        try home.google("ada@work.example"), user,
        shownAgain: home.emailAndPassword("ada@example.com"))
      #expect(user.providerIDs == ["google.com", "password"], "\(said)")
    }
  }

  @Test(arguments: Backend.allCases)
  func `merges with the account that has the credential`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let other = try await home.auth.signIn(with: try home.google("ada@work.example")).user
      let user = try await home.auth.signIn(with: home.facebook("ada@social.example")).user
      let left = try await linkOrMerge(
        try home.google("ada@work.example"), to: user, auth: home.auth)
      #expect(left.uid == other.uid && left.providerIDs == ["facebook.com", "google.com"])
      #expect(otherCredential(of: AuthErrorCode.weakPassword) == nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func `shows a plan first, and does nothing if it is declined`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let user = try await home.auth.signIn(with: home.facebook("ada@social.example")).user
      let other = try await home.auth.signIn(with: try home.google("ada@work.example")).user
      let stays = try await ConflictSnippets.plan(user, other, auth: home.auth) { preview in
        #expect(preview.contains(user.uid) && preview.contains(other.uid))
        return false
      }
      #expect(stays === user && home.auth.currentUser === user)
      #expect(try await home.exists(user.uid))
      let left = try await ConflictSnippets.plan(user, other, auth: home.auth) { _ in true }
      #expect(left.uid == other.uid && left.providerIDs == ["facebook.com", "google.com"])
    }
  }

  @Test(arguments: Backend.allCases)
  func `signs in another way if an address is taken`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let user = try await home.verifiedAda()
      try home.auth.signOut()
      let left = try await ConflictSnippets.existing(
        home.facebook("ada@example.com"), auth: home.auth, email: "ada@example.com",
        password: AuthHome.password)
      #expect(left?.uid == user.uid && left?.providerIDs == ["facebook.com", "password"])
    }
  }

  @Test(arguments: Backend.allCases)
  func `makes a person of an anonymous user`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let guest = try await UpgradeSnippets.begin(home.auth)
      let user = try await UpgradeSnippets.keep(
        guest, email: "ada@example.com", password: AuthHome.password)
      #expect(user.uid == guest.uid && !user.isAnonymous)

      try home.auth.signOut()
      let second = try await UpgradeSnippets.begin(home.auth)
      let known = try await upgrade(
        second, with: home.emailAndPassword("ada@example.com"), auth: home.auth)
      #expect(known.uid == user.uid && home.auth.currentUser?.uid == user.uid)
      #expect(try await home.exists(second.uid) == false)
      try await known.link(with: try home.google("ada@work.example"))

      try home.auth.signOut()
      let third = try await UpgradeSnippets.begin(home.auth)
      let again = try await upgrade(
        third, with: try home.google("ada@work.example"), auth: home.auth)
      #expect(again.uid == user.uid)
    }
  }

  @Test(arguments: Backend.allCases)
  func `enrols a phone and asks for it`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let user = try await home.verifiedAda()
      try await SecondFactorSnippets.enrollPhone(
        user, number: AuthHome.number, auth: home.auth
      ) { _ in try home.lastMessage(to: AuthHome.number) }
      try home.auth.signOut()
      let again = try await signInByFactors(
        with: home.emailAndPassword("ada@example.com"), auth: home.auth
      ) { question in
        #expect(question.hasPrefix("The code that was sent to "))
        return try home.lastMessage(to: AuthHome.number)
      }
      #expect(again.uid == user.uid)
    }
  }

  @Test(arguments: Backend.production)
  func `enrols an authenticator app and asks for it`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let user = try await home.verifiedAda()
      var key = ""
      try await SecondFactorSnippets.enrollApp(user) { shown in
        key = shown
        return try #require(HMACTOTP().code(for: Secret(shown), at: home.clock.now))
      }
      home.pass(seconds: 60)
      try home.auth.signOut()
      let again = try await signInByFactors(
        with: home.emailAndPassword("ada@example.com"), auth: home.auth
      ) { question in
        #expect(question == "The code that Authenticator shows")
        return try #require(HMACTOTP().code(for: Secret(key), at: home.clock.now))
      }
      #expect(again.uid == user.uid)
    }
  }
}
