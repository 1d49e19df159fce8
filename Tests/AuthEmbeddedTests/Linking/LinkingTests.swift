import AuthClient
import Foundation
import Testing

/// The sign-in methods that can be linked to an account.
enum Way: String, CaseIterable, Sendable {
  case google, facebook, work, emailAndPassword, emailLink, phone

  /// The ID in `providerData`.
  var providerID: String {
    switch self {
    case .google: "google.com"
    case .facebook: "facebook.com"
    case .work: "oidc.work"
    case .emailAndPassword, .emailLink: "password"
    case .phone: "phone"
    }
  }

  /// True if a vendor proves the identity.
  var isFederated: Bool { [.google, .facebook, .work].contains(self) }

  func credential(_ home: AuthHome) async throws -> AuthCredential {
    switch self {
    case .google: try home.google("link@example.com")
    case .facebook: home.facebook("link@example.com")
    case .work: try home.work("link@example.com")
    case .emailAndPassword: home.emailAndPassword("link@example.com")
    case .emailLink: try await home.emailLink("link@example.com")
    case .phone: try await home.phone()
    }
  }
}

@Suite("Linking on every backend") struct LinkingTests {
  @Test(arguments: Backend.allCases, Way.allCases)
  func `an anonymous user becomes a person and keeps the uid`(
    _ backend: Backend, _ way: Way
  ) async throws {
    try await withAuth(backend) { home in
      let user = try await home.auth.signInAnonymously().user
      let (uid, token) = (user.uid, try await user.getIDToken())
      let (states, _) = home.auth.hearingStates()
      let (tokens, _) = home.auth.hearingTokens()
      home.pass(seconds: 2)

      let result = try await user.link(with: try await way.credential(home))

      #expect(result.user === user && user === home.auth.currentUser)
      #expect(user.uid == uid && !user.isAnonymous)
      #expect(user.providerIDs == [way.providerID])
      #expect(try await user.getIDToken() != token)
      #expect((result.additionalUserInfo != nil) == way.isFederated)
      #expect((result.credential != nil) == way.isFederated)
      #expect(result.mergedFrom.isEmpty)
      #expect(await states.uids == [uid])
      #expect(await tokens.uids == [uid, uid])
      let again = try await home.another().signIn(with: try await way.credential(home))
      #expect(again.user.uid == uid && !again.user.isAnonymous)
      #expect(try await home.accountCount() == 1)
    }
  }

  @Test(arguments: Backend.allCases, Way.allCases.filter { $0.providerID != "password" })
  func `an account with a password gets a further way in`(
    _ backend: Backend, _ way: Way
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      let result = try await ada.link(with: try await way.credential(home))

      #expect(result.user === ada && ada.email == "ada@example.com")
      #expect(ada.providerIDs == ["password", way.providerID].sorted())
      #expect(result.additionalUserInfo?.providerID == (way.isFederated ? way.providerID : nil))
      for credential in [
        try await way.credential(home), home.emailAndPassword("ada@example.com"),
      ] {
        let again = try await home.another().signIn(with: credential)
        #expect(again.user.uid == ada.uid && again.user.providerIDs == ada.providerIDs)
      }
    }
  }

  @Test(
    arguments: Backend.production.flatMap { [($0, Way.emailAndPassword), ($0, .emailLink)] }
      + Backend.emulators.map { ($0, .emailLink) })
  func `an account of Google's gets a way in by e-mail`(
    _ backend: Backend, _ way: Way
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.auth.signIn(with: try home.google("link@example.com")).user
      try await ada.link(with: try await way.credential(home))

      #expect(ada.providerIDs == ["google.com", "password"])
      #expect(ada.email == "link@example.com" && ada.isEmailVerified)
      let again = try await home.another().signIn(with: try await way.credential(home))
      #expect(again.user.uid == ada.uid)
    }
  }

  @Test(arguments: Backend.emulators)
  func `the emulator takes the account's own address for another's, as Firebase's does`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.auth.signIn(with: try home.google("ada@example.com")).user
      try await expectError(.emailAlreadyInUse) {
        try await ada.link(with: home.emailAndPassword("ada@example.com"))
      }

      try await ada.link(with: home.emailAndPassword("lovelace@example.com"))
      #expect(ada.email == "lovelace@example.com")
    }
  }

  @Test(arguments: Backend.allCases)
  func `a provider that is linked already is refused without a request`(_ backend: Backend)
    async throws
  {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      try await ada.link(with: try home.google("ada@example.com"))
      try await ada.link(with: try await home.phone())
      let link = try await home.emailLink("ada@example.com")
      let phone = try await home.phone("+15555550101")
      home.traffic.forget()

      for credential in [
        try home.google("bo@example.com", subject: "2"), phone, link,
        home.emailAndPassword("bo@example.com"),
      ] {
        try await expectError(.providerAlreadyLinked) { try await ada.link(with: credential) }
      }
      #expect(home.traffic.paths.isEmpty)
      #expect(home.auth.currentUser === ada)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a credential that lacks its code or number is refused at once`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      let phones = PhoneAuthProvider.provider(auth: home.auth)
      home.traffic.forget()

      try await expectError(.missingVerificationCode) {
        try await ada.link(
          with: phones.credential(withVerificationID: "x", verificationCode: ""))
      }
      try await expectError(.missingVerificationID) {
        try await ada.link(
          with: phones.credential(withVerificationID: "", verificationCode: "123456"))
      }
      try await expectError(.missingPhoneNumber) { try await phones.verifyPhoneNumber("") }
      try await expectError(.weakPassword) {
        try await home.another().createUser(withEmail: "bo@example.com", password: "")
      }
      #expect(home.traffic.paths.isEmpty)
      try await expectError(.invalidVerificationID) {
        try await ada.link(
          with: phones.credential(withVerificationID: "x", verificationCode: "123456"))
      }
    }
  }
}
