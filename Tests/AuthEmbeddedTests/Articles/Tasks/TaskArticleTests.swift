import AuthClient
import AuthCore
import AuthTesting
import Foundation
import NIOConcurrencyHelpers
import Testing

/// The code of the articles that README and "Tasks" lead to, run on every backend.
@Suite struct `The code of the articles on an app's tasks` {
  @Test(arguments: Backend.allCases)
  func `verifies an address, and changes it`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let user = try await home.ada()
      try await MailSnippets.sendVerification(user)
      let link = try #require(URL(string: try home.lastMessage(to: "ada@example.com")))
      #expect(try await handle(link, auth: home.auth) { "" })
      #expect(user.isEmailVerified)
      #expect(try await MailSnippets.seeVerification(user))

      try await MailSnippets.changeAddress(user, to: "lovelace@example.com")
      let other = try #require(URL(string: try home.lastMessage(to: "lovelace@example.com")))
      #expect(try await handle(other, auth: home.auth) { "" })
      let again = try await home.auth.signIn(
        withEmail: "lovelace@example.com", password: AuthHome.password)
      #expect(again.user.uid == user.uid && again.user.isEmailVerified)
    }
  }

  @Test(arguments: Backend.allCases)
  func `resets a password`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada(on: home.another())
      try await MailSnippets.sendReset(home.auth, email: "ada@example.com")
      #expect(home.messages.last()?.locale == "de")
      home.pass(seconds: 2)
      let user = try await MailSnippets.reset(
        home.auth, code: try home.lastCode(to: "ada@example.com"), password: "another one")
      #expect(user.uid == ada.uid && home.auth.currentUser === user)

      try await MailSnippets.sendReset(home.auth, email: "ada@example.com")
      home.pass(seconds: 2)
      let link = try #require(URL(string: try home.lastMessage(to: "ada@example.com")))
      #expect(try await handle(link, auth: home.another()) { "a third one" })
      let last = try await home.auth.signIn(withEmail: "ada@example.com", password: "a third one")
      #expect(last.user.uid == ada.uid)
    }
  }

  @Test(arguments: Backend.allCases)
  func `signs in by a link`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      try await MailSnippets.sendSignInLink(home.auth, email: "ada@example.com")
      let link = try home.lastMessage(to: "ada@example.com")
      #expect(try await !handle(try #require(URL(string: link)), auth: home.auth) { "" })
      let user = try await MailSnippets.useSignInLink(
        home.auth, email: "ada@example.com", link: link)
      #expect(user?.email == "ada@example.com" && user?.isEmailVerified == true)
      let none = try await MailSnippets.useSignInLink(
        home.auth, email: "ada@example.com", link: "https://app.example/start?page=2")
      #expect(none == nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func `signs in by a code sent to a phone`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let user = try await PhoneSnippets.signIn(home.auth, number: AuthHome.number) { question in
        #expect(question == "The code that was sent to \(AuthHome.number)")
        return try home.lastMessage(to: AuthHome.number)
      }
      #expect(user.phoneNumber == AuthHome.number)
      try await PhoneSnippets.change(user, to: try await home.phone("+15555550101"))
      #expect(user.phoneNumber == "+15555550101")
    }
  }

  @Test(arguments: Backend.allCases)
  func `changes a profile, and signs out`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let user = try await home.ada()
      try await AccountSnippets.changeProfile(user)
      #expect(user.displayName == "Ada Lovelace")
      #expect(user.photoURL?.absoluteString == "https://people.example/ada.png")
      try AccountSnippets.signOut(home.auth)
      #expect(home.auth.currentUser == nil)
    }
  }

  @Test(arguments: Backend.production)
  func `asks for the sign-in again before a sensitive change`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let user = try await home.ada()
      home.pass(seconds: 600)
      let asked = NIOLockedValueBox(0)
      try await AccountSnippets.changePassword(user, to: "another one") {
        asked.withLockedValue { $0 += 1 }
        return home.emailAndPassword("ada@example.com")
      }
      #expect(asked.withLockedValue(\.self) == 1)
      try await home.auth.signIn(withEmail: "ada@example.com", password: "another one")
    }
  }

  @Test(arguments: Backend.allCases)
  func `deletes an account, whose last ID token stays readable`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let user = try await home.ada()
      if !backend.isEmulator { home.pass(seconds: 600) }
      try await AccountSnippets.delete(user) { home.emailAndPassword("ada@example.com") }
      #expect(home.auth.currentUser == nil)
      #expect(try await !home.exists(user.uid))
      #expect(try await !user.getIDToken().isEmpty)
    }
  }
}
