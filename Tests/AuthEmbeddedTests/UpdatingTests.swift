import AuthClient
import Foundation
import Testing

@Suite("Changing one's account on every backend") struct UpdatingTests {
  @Test(arguments: Backend.allCases)
  func `a name and a picture are set, and taken away`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      let change = ada.createProfileChangeRequest()
      change.displayName = "Ada Lovelace"
      change.photoURL = URL(string: "https://people.example/ada.png")
      #expect(ada.displayName == nil)
      try await change.commitChanges()

      #expect(ada.displayName == "Ada Lovelace")
      #expect(ada.photoURL?.absoluteString == "https://people.example/ada.png")
      let other = try await home.another().signIn(
        withEmail: "ada@example.com", password: AuthHome.password)
      #expect(other.user.displayName == "Ada Lovelace" && other.user.photoURL == ada.photoURL)

      let removal = ada.createProfileChangeRequest()
      #expect(removal.displayName == "Ada Lovelace")
      removal.photoURL = nil
      try await removal.commitChanges()
      #expect(ada.photoURL == nil && ada.displayName == "Ada Lovelace")
      let second = ada.createProfileChangeRequest()
      second.displayName = nil
      try await second.commitChanges()
      #expect(ada.displayName == nil)
      #expect(other.user.displayName == "Ada Lovelace")
      try await other.user.reload()
      #expect(other.user.displayName == nil && other.user.photoURL == nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func `an empty change makes no request`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      home.traffic.forget()
      try await ada.createProfileChangeRequest().commitChanges()

      #expect(home.traffic.paths.isEmpty)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a new address takes the old one's place, which can take it back`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      if backend.isEmulator {
        try await ada.updateEmail(to: "lovelace@example.com")
        #expect(ada.email == "lovelace@example.com" && !ada.isEmailVerified)
      } else {
        // A session never replaces a verified address by an unproved one.
        try await expectError(.operationNotAllowed) {
          try await ada.updateEmail(to: "lovelace@example.com")
        }
        try await ada.sendEmailVerification(beforeUpdatingEmail: "lovelace@example.com")
        try await home.another().applyActionCode(home.lastCode(to: "lovelace@example.com"))
      }
      #expect(home.auth.currentUser === ada)
      let again = try await home.another().signIn(
        withEmail: "lovelace@example.com", password: AuthHome.password)
      #expect(again.user.uid == ada.uid)
      let code = try home.lastCode(to: "ada@example.com")
      let info = try await home.another().checkActionCode(code)
      #expect(info.operation == .recoverEmail && info.email == "lovelace@example.com")
      #expect(info.previousEmail == "ada@example.com")
      try await home.another().applyActionCode(code)
      let back = try await home.another().signIn(
        withEmail: "ada@example.com", password: AuthHome.password)
      #expect(back.user.uid == ada.uid && back.user.isEmailVerified)
    }
  }

  @Test(arguments: Backend.allCases)
  func `an address of another account is refused`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      try await home.ada("bo@example.com", on: home.another())
      let ada = try await home.ada()

      try await expectError(.emailAlreadyInUse) { try await ada.updateEmail(to: "bo@example.com") }
      try await expectError(.invalidEmail) { try await ada.updateEmail(to: "nobody") }
      #expect(ada.email == "ada@example.com" && home.auth.currentUser === ada)
    }
  }

  @Test(arguments: Backend.production)
  func `a project that hides accounts changes an address by a link alone`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      try await home.hideAccounts()
      let ada = try await home.ada()

      try await expectError(.operationNotAllowed) {
        try await ada.updateEmail(to: "lovelace@example.com")
      }
      #expect(ada.email == "ada@example.com" && home.auth.currentUser === ada)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a new password counts at once`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      home.pass(seconds: 5)
      try await ada.updatePassword(to: "another one")

      #expect(home.auth.currentUser === ada)
      try await ada.reload()
      try await home.another().signIn(withEmail: "ada@example.com", password: "another one")
      try await expectError(.wrongPassword) {
        try await home.another().signIn(
          withEmail: "ada@example.com", password: AuthHome.password)
      }
      home.traffic.forget()
      try await expectError(.weakPassword) { try await ada.updatePassword(to: "") }
      #expect(home.traffic.paths.isEmpty)
      let error = try await expectError(.weakPassword) { try await ada.updatePassword(to: "short") }
      #expect(error.localizedFailureReason?.isEmpty == false)
      #expect(home.auth.currentUser === ada)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a password is given to an account that has an address`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.auth.signIn(with: try home.google("ada@example.com")).user
      try await ada.updatePassword(to: "another one")

      #expect(ada.providerIDs == ["google.com", "password"])
      let again = try await home.another().signIn(
        withEmail: "ada@example.com", password: "another one")
      #expect(again.user.uid == ada.uid)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a phone is added, and another one takes its place`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      try await ada.updatePhoneNumber(try await home.phone())
      #expect(ada.phoneNumber == AuthHome.number && ada.providerIDs == ["password", "phone"])

      try await ada.updatePhoneNumber(try await home.phone("+15555550101"))
      #expect(ada.phoneNumber == "+15555550101" && ada.providerIDs == ["password", "phone"])
      let again = try await home.another().signIn(with: try await home.phone("+15555550101"))
      #expect(again.user.uid == ada.uid)
      let old = try await home.another().signIn(with: try await home.phone())
      #expect(old.user.uid != ada.uid)
    }
  }

  @Test(arguments: Backend.allCases)
  func `an account is removed, and its user with it`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      let other = home.another()
      let twin = try await other.signIn(
        withEmail: "ada@example.com", password: AuthHome.password
      ).user
      let (states, _) = home.auth.hearingStates()
      try await ada.delete()

      #expect(home.auth.currentUser == nil)
      #expect(await states.uids == [ada.uid, nil])
      #expect(try await home.accountCount() == 0)
      let error = await #expect(throws: (any Error).self) { try await twin.reload() }
      #expect(
        [.userNotFound, .userTokenExpired].contains(error.flatMap { AuthErrorCode($0) }))
      #expect(other.currentUser == nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func `an administrator's change comes with a reload`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      try await home.rename(ada, "Ada, by the shop")
      #expect(ada.displayName == nil)
      let (tokens, _) = home.auth.hearingTokens()
      try await ada.reload()

      #expect(ada.displayName == "Ada, by the shop")
      #expect(await tokens.uids == [ada.uid])
    }
  }
}
