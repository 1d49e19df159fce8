import AuthClient
import Foundation
import Testing

@Suite("Signing in on every backend") struct SigningInTests {
  @Test(arguments: Backend.allCases)
  func `a person signs up, and is let in by the password alone`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let made = try await home.auth.createUser(
        withEmail: "Ada@Example.com", password: AuthHome.password)

      #expect(made.additionalUserInfo?.isNewUser == true)
      #expect(made.additionalUserInfo?.providerID == "password")
      #expect(made.credential == nil)
      #expect(made.user === home.auth.currentUser)
      #expect(made.user.email?.lowercased() == "ada@example.com")
      #expect(!made.user.isAnonymous && !made.user.isEmailVerified)
      #expect(made.user.providerIDs == ["password"])
      #expect(made.user.metadata.creationDate == home.now)
      #expect(made.user.metadata.lastSignInDate == home.now)
      let again = try await home.another().signIn(
        withEmail: "ada@example.com", password: AuthHome.password)
      #expect(again.user.uid == made.user.uid)
      #expect(again.additionalUserInfo?.isNewUser == false)
      #expect(again.additionalUserInfo?.providerID == "password")
      try await expectError(.wrongPassword) {
        try await home.another().signIn(withEmail: "ada@example.com", password: "battery staple")
      }
      try await expectError(.userNotFound) {
        try await home.another().signIn(withEmail: "bo@example.com", password: "battery staple")
      }
      try await expectError(.emailAlreadyInUse) {
        try await home.another().createUser(withEmail: "ada@example.com", password: "other one")
      }
    }
  }

  @Test(arguments: Backend.allCases)
  func `an anonymous user stays the same until the sign-out`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let first = try await home.auth.signInAnonymously()
      home.traffic.forget()
      let second = try await home.auth.signInAnonymously()

      #expect(first.user.isAnonymous && first.user.providerIDs.isEmpty)
      #expect(first.additionalUserInfo?.providerID == "")
      #expect(first.additionalUserInfo?.isNewUser == true)
      #expect(second.user === first.user && second.additionalUserInfo == nil)
      #expect(home.traffic.paths.isEmpty)
      try home.auth.signOut()
      #expect(try await home.auth.signInAnonymously().user.uid != first.user.uid)
    }
  }

  @Test(arguments: Backend.allCases)
  func `Google vouches for a person and an address`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let made = try await home.auth.signIn(
        with: try home.google("ada@example.com", subject: "1815", name: "Ada Lovelace"))

      #expect(made.user.email == "ada@example.com" && made.user.isEmailVerified)
      #expect(made.user.displayName == "Ada Lovelace")
      #expect(made.user.providerIDs == ["google.com"])
      #expect(made.user.providerData.first?.uid == "1815")
      #expect(made.additionalUserInfo?.providerID == "google.com")
      #expect(made.additionalUserInfo?.isNewUser == true)
      #expect(made.additionalUserInfo?.profile?["email"] as? String == "ada@example.com")
      #expect(made.credential?.provider == "google.com")
      #expect(made.credential?.idToken?.isEmpty == false)
      let again = try await home.another().signIn(
        with: try home.google("ada@example.com", subject: "1815"))
      #expect(again.user.uid == made.user.uid)
      #expect(again.additionalUserInfo?.isNewUser == false)
      let token = try await made.user.getIDTokenResult()
      #expect(token.signInProvider == "google.com" && token.signInSecondFactor == "")
    }
  }

  @Test(arguments: Backend.allCases)
  func `Facebook vouches for a person alone`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let made = try await home.auth.signIn(
        with: home.facebook("ada@example.com", subject: "1815"))

      #expect(made.user.providerIDs == ["facebook.com"])
      #expect(made.user.providerData.first?.uid == "1815")
      #expect(!made.user.isEmailVerified)
      #expect(made.additionalUserInfo?.providerID == "facebook.com")
      #expect(made.additionalUserInfo?.isNewUser == true)
      #expect(made.credential?.accessToken?.isEmpty == false)
      let again = try await home.another().signIn(
        with: home.facebook("ada@example.com", subject: "1815"))
      #expect(again.user.uid == made.user.uid)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a company's OpenID provider lets in`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let made = try await home.auth.signIn(with: try home.work("ada@work.example"))
      let again = try await home.another().signIn(with: try home.work("ada@work.example"))

      #expect(made.user.providerIDs == ["oidc.work"])
      #expect(made.user.uid == again.user.uid)
      #expect(made.additionalUserInfo?.providerID == "oidc.work")
      #expect(again.additionalUserInfo?.isNewUser == false)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a code to a phone lets in`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let made = try await home.auth.signIn(with: try await home.phone())
      let again = try await home.another().signIn(with: try await home.phone())

      #expect(made.user.phoneNumber == AuthHome.number)
      #expect(made.user.providerIDs == ["phone"])
      #expect(made.additionalUserInfo?.providerID == "phone")
      #expect(made.additionalUserInfo?.isNewUser == true)
      #expect(again.user.uid == made.user.uid)
      #expect(again.additionalUserInfo?.isNewUser == false)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a link by e-mail lets in, and verifies the address`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let link = try await home.sentLink("ada@example.com")
      #expect(home.auth.isSignIn(withEmailLink: link))
      #expect(!home.auth.isSignIn(withEmailLink: "https://app.example/start?oobCode=x"))
      let made = try await home.auth.signIn(withEmail: "ada@example.com", link: link)
      let again = try await home.another().signIn(
        with: try await home.emailLink("ada@example.com"))

      #expect(made.user.isEmailVerified && made.user.email == "ada@example.com")
      #expect(made.user.providerIDs == ["password"])
      #expect(made.additionalUserInfo?.isNewUser == true)
      #expect(again.user.uid == made.user.uid)
      try await expectError(.invalidActionCode) {
        try await home.another().signIn(withEmail: "ada@example.com", link: link)
      }
    }
  }

  @Test(arguments: Backend.allCases)
  func `a token of the app's own server lets in`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let token = try await home.customToken("ada-of-the-shop")
      let made = try await home.auth.signIn(withCustomToken: token)
      let again = try await home.another().signIn(withCustomToken: token)

      #expect(made.user.uid == "ada-of-the-shop")
      #expect(made.user.providerIDs.isEmpty && !made.user.isAnonymous)
      #expect(made.additionalUserInfo?.isNewUser == true)
      #expect(made.additionalUserInfo?.providerID == "")
      #expect(again.user.uid == made.user.uid)
      #expect(again.additionalUserInfo?.isNewUser == false)
      #expect(try await made.user.getIDTokenResult().signInProvider == "custom")
    }
  }

  @Test(arguments: Backend.allCases.filter(\.isRemote))
  func `an app is pointed at a server by useEmulator`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let auth = Auth(backend: HTTPBackend.firebase, apiKey: "test-key")
      auth.useEmulator(withHost: "127.0.0.1", port: try #require(home.port))
      #expect(auth.settings?.isAppVerificationDisabledForTesting == true)
      let user = try await auth.signInAnonymously().user

      #expect(try await home.exists(user.uid))
    }
  }

  @Test(arguments: Backend.allCases)
  func `every linked way in leads to the same user`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      try await ada.link(with: try home.google("ada@gmail.example"))
      try await ada.link(with: home.facebook("ada@facebook.example"))
      try await ada.link(with: try home.work("ada@work.example"))
      try await ada.link(with: try await home.phone())

      #expect(
        ada.providerIDs == ["facebook.com", "google.com", "oidc.work", "password", "phone"])
      let ways = [
        home.emailAndPassword("ada@example.com"), try home.google("ada@gmail.example"),
        home.facebook("ada@facebook.example"), try home.work("ada@work.example"),
        try await home.phone(),
      ]
      for way in ways {
        let user = try await home.another().signIn(with: way).user
        #expect(user.uid == ada.uid, "\(way.provider)")
        #expect(user.providerIDs == ada.providerIDs)
        #expect(user.email == "ada@example.com")
      }
    }
  }
}
