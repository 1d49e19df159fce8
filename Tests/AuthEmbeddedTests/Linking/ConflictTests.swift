import AuthClient
import Foundation
import Testing

@Suite("Conflicts on every backend") struct ConflictTests {
  @Test(arguments: Backend.allCases, [true, false])
  func `a credential of another account can be signed in with instead`(
    _ backend: Backend, _ isAnonymous: Bool
  ) async throws {
    try await withAuth(backend) { home in
      let bo = try await home.another().signIn(with: try home.google("bo@example.com")).user
      let user =
        isAnonymous ? try await home.auth.signInAnonymously().user : try await home.ada()
      let error = try await expectError(.credentialAlreadyInUse) {
        try await user.link(with: try home.google("bo@example.com"))
      }

      #expect(error.email == "bo@example.com")
      #expect(
        error.userInfo[AuthErrors.userInfoNameKey] as? String == "ERROR_CREDENTIAL_ALREADY_IN_USE")
      #expect(home.auth.currentUser === user && user.isAnonymous == isAnonymous)
      let updated = try #require(error.updatedCredential as? OAuthCredential)
      #expect(updated.provider == "google.com")
      let entered = try await home.auth.signIn(with: updated)
      #expect(entered.user.uid == bo.uid && home.auth.currentUser === entered.user)
      #expect(entered.additionalUserInfo?.isNewUser == false)
    }
  }

  @Test(arguments: Backend.allCases, [Way.google, .facebook, .work])
  func `a credential that could not be linked still signs in`(
    _ backend: Backend, _ way: Way
  ) async throws {
    try await withAuth(backend) { home in
      let bo = try await home.another().signIn(with: try await way.credential(home)).user
      let user = try await home.auth.signInAnonymously().user
      let credential = try await way.credential(home)
      try await expectError(.credentialAlreadyInUse) { try await user.link(with: credential) }

      #expect(try await home.auth.signIn(with: credential).user.uid == bo.uid)
    }
  }

  @Test(arguments: Backend.allCases)
  func `an access token's conflict can be signed in with instead`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let bo = try await home.another().signIn(with: home.facebook("bo@example.com")).user
      let user = try await home.auth.signInAnonymously().user
      let error = try await expectError(.credentialAlreadyInUse) {
        try await user.link(with: home.facebook("bo@example.com"))
      }

      let entered = try await home.auth.signIn(with: try #require(error.updatedCredential))
      #expect(entered.user.uid == bo.uid)
    }
  }

  @Test(arguments: Backend.allCases)
  func `an address of another account is reported without a credential`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      try await home.ada("bo@example.com", on: home.another())
      let user = try await home.auth.signInAnonymously().user
      let byPassword = try await expectError(.emailAlreadyInUse) {
        try await user.link(with: home.emailAndPassword("bo@example.com", "another one"))
      }
      let byLink = try await expectError(.emailAlreadyInUse) {
        try await user.link(with: try await home.emailLink("bo@example.com"))
      }
      let byGoogle = try await expectError(.emailAlreadyInUse) {
        try await user.link(with: try home.google("bo@example.com"))
      }

      for error in [byPassword, byLink, byGoogle] {
        #expect(error.updatedCredential == nil && error.email == nil)
      }
      #expect(user.isAnonymous && user.providerIDs.isEmpty)
      #expect(home.auth.currentUser === user)
    }
  }

  @Test(arguments: Backend.allCases)
  func `an account with another way in is entered by it, and then linked`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda(on: home.another())
      let error = try await expectError(.accountExistsWithDifferentCredential) {
        try await home.auth.signIn(with: home.facebook("ada@example.com"))
      }

      #expect(home.auth.currentUser == nil)
      #expect(error.email == "ada@example.com")
      let updated = try #require(error.updatedCredential as? OAuthCredential)
      #expect(updated.provider == "facebook.com")
      let user = try await home.auth.signIn(
        withEmail: "ada@example.com", password: AuthHome.password
      ).user
      let linked = try await user.link(with: updated)
      #expect(linked.user.uid == ada.uid)
      #expect(user.providerIDs == ["facebook.com", "password"])
      let again = try await home.another().signIn(with: home.facebook("ada@example.com"))
      #expect(again.user.uid == ada.uid)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a project that hides accounts still reports conflicts`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      try await home.hideAccounts()
      let ada = try await home.verifiedAda(on: home.another())
      let error = try await expectError(.accountExistsWithDifferentCredential) {
        try await home.auth.signIn(with: home.facebook("ada@example.com"))
      }
      #expect(error.email == "ada@example.com")
      let user = try await home.auth.signInAnonymously().user
      try await expectError(.emailAlreadyInUse) {
        try await user.link(with: home.emailAndPassword("ada@example.com", "another one"))
      }
      let entered = try await home.auth.signIn(with: home.emailAndPassword("ada@example.com"))
      #expect(entered.user.uid == ada.uid)
      try await entered.user.link(with: try #require(error.updatedCredential))
      #expect(entered.user.providerIDs == ["facebook.com", "password"])
    }
  }

  @Test(arguments: Backend.allCases, Way.allCases)
  func `one of many links at once succeeds`(_ backend: Backend, _ way: Way) async throws {
    try await withAuth(backend) { home in
      let user = try await home.auth.signInAnonymously().user
      let credential = try await way.credential(home)
      let linked = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 {
          group.addTask { (try? await user.link(with: credential)) != nil }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }

      #expect(linked >= 1)
      try await user.reload()
      #expect(user.providerIDs == [way.providerID] && !user.isAnonymous)
      #expect(try await home.accountCount() == 1)
      #expect(home.auth.currentUser === user)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a phone of another account can be signed in with instead`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let bo = try await home.another().signIn(with: try await home.phone()).user
      let ada = try await home.ada()
      let error = try await expectError(.credentialAlreadyInUse) {
        try await ada.link(with: try await home.phone())
      }
      let further = try await expectError(.credentialAlreadyInUse) {
        try await ada.updatePhoneNumber(try await home.phone())
      }

      #expect(error.email == nil && further.updatedCredential is PhoneAuthCredential)
      #expect(ada.phoneNumber == nil && home.auth.currentUser === ada)
      let updated = try #require(error.updatedCredential as? PhoneAuthCredential)
      let entered = try await home.auth.signIn(with: updated)
      #expect(entered.user.uid == bo.uid && entered.user.phoneNumber == AuthHome.number)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a credential of an error is kept for later in an archive`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      try await home.another().signIn(with: try await home.phone())
      let bo = try await home.another().signIn(with: try home.google("bo@example.com")).user
      let user = try await home.auth.signInAnonymously().user
      let google = try await expectError(.credentialAlreadyInUse) {
        try await user.link(with: try home.google("bo@example.com"))
      }
      let phone = try await expectError(.credentialAlreadyInUse) {
        try await user.link(with: try await home.phone())
      }

      let archive = try NSKeyedArchiver.archivedData(
        withRootObject: try #require(google.updatedCredential), requiringSecureCoding: true)
      let read = try #require(
        try NSKeyedUnarchiver.unarchivedObject(ofClass: OAuthCredential.self, from: archive))
      #expect(try await home.another().signIn(with: read).user.uid == bo.uid)
      let proof = try NSKeyedArchiver.archivedData(
        withRootObject: try #require(phone.updatedCredential), requiringSecureCoding: true)
      let number = try #require(
        try NSKeyedUnarchiver.unarchivedObject(ofClass: PhoneAuthCredential.self, from: proof))
      let entered = try await home.another().signIn(with: number)
      #expect(entered.user.phoneNumber == AuthHome.number)
    }
  }
}
