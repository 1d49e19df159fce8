import AuthClient
import Foundation
import Testing

@Suite("Merging on every backend") struct MergingTests {
  /// The named survivor stays and loses nothing.

  @Test(arguments: Backend.allCases)
  func `an anonymous user goes up in the account that was signed in to`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      try await home.another().signIn(with: try home.google("ada@example.com"))
      let prevUser = try await home.auth.signInAnonymously().user
      let error = try await expectError(.credentialAlreadyInUse) {
        try await prevUser.link(with: try home.google("ada@example.com"))
      }
      let user = try await home.auth.signIn(with: try #require(error.updatedCredential)).user
      let (states, _) = home.auth.hearingStates()
      let (tokens, _) = home.auth.hearingTokens()
      home.pass(seconds: 2)
      let (gone, uid) = (prevUser.uid, user.uid)

      let result = try await home.auth.merge(prevUser, into: user)

      #expect(result.user === user && user.uid == uid && home.auth.currentUser === user)
      #expect(result.mergedFrom == [gone])
      #expect(user.providerIDs == ["google.com"] && !user.isAnonymous)
      #expect(await states.uids == [uid])
      #expect(await tokens.uids == [uid, uid])
      try await user.reload()
      #expect(
        try await user.getIDTokenResult(forcingRefresh: true).claims["user_id"] as? String == uid)
      #expect(try await home.accountCount() == 1)
      #expect(try await !home.exists(gone))
    }
  }

  @Test(arguments: Backend.allCases)
  func `two accounts of one person become one with all ways in`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      try await home.rename(ada, "Ada")
      let other = try await home.auth.signIn(with: try home.google("ada@gmail.example")).user
      #expect(home.auth.currentUser === other)
      let gone = other.uid
      let result = try await home.auth.merge(other, into: ada)

      #expect(result.user === ada && home.auth.currentUser === ada)
      #expect(result.mergedFrom == [gone])
      #expect(ada.providerIDs == ["google.com", "password"])
      #expect(ada.email == "ada@example.com" && ada.displayName == "Ada")
      for credential in [
        home.emailAndPassword("ada@example.com"), try home.google("ada@gmail.example"),
      ] {
        let user = try await home.another().signIn(with: credential).user
        #expect(user.uid == ada.uid && user.providerIDs == ada.providerIDs)
      }
    }
  }

  @Test(arguments: Backend.allCases)
  func `the tokens of the absorbed account are over, and those of the survivor go on`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let survivors = home.another()
      let ada = try await home.ada()
      let twin = try await survivors.signIn(
        withEmail: "ada@example.com", password: AuthHome.password
      ).user
      let absorbed = home.another()
      let guest = try await absorbed.signInAnonymously().user
      let prevUser = try await home.copy(of: guest)
      home.pass(seconds: 2)
      try await home.auth.merge(prevUser, into: ada)

      try await twin.reload()
      _ = try await twin.getIDToken(forcingRefresh: true)
      #expect(survivors.currentUser === twin)
      let error = await #expect(throws: (any Error).self) { try await guest.reload() }
      #expect(
        [.userNotFound, .userTokenExpired].contains(error.flatMap { AuthErrorCode($0) }),
        "\(String(describing: error))")
      #expect(absorbed.currentUser == nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a plan shows the changes, and is then carried out`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      try await home.rename(ada, "Ada")
      let other = try await home.auth.signIn(
        with: try home.google("ada@gmail.example", name: "Ada Lovelace")
      ).user
      let plan = try await home.auth.planMerge(of: other, into: ada)

      #expect(plan.survivorID == ada.uid && plan.absorbedID == other.uid)
      #expect(plan.movedIdentities.count == 1 && plan.droppedIdentities.isEmpty)
      let name = try #require(plan.fields.first { $0.name == "displayName" })
      #expect(name.kept == "Ada" && name.other == "Ada Lovelace" && name.result == "Ada")
      #expect(plan.preview.contains(ada.uid) && plan.preview.contains("Ada Lovelace"))
      #expect(try await home.accountCount() == 2)
      let result = try await plan.commit()
      #expect(result.user === ada && result.mergedFrom == [other.uid])
      #expect(ada.providerIDs == ["google.com", "password"] && ada.displayName == "Ada")
      #expect(try await home.accountCount() == 1)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a plan that a change made old is refused`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      let other = try await home.auth.signIn(with: try home.google("ada@gmail.example")).user
      let plan = try await home.auth.planMerge(of: other, into: ada)
      try await home.rename(other, "Somebody else")
      let error = try await expectError(.operationNotAllowed) { try await plan.commit() }

      #expect(error.localizedDescription.contains("changed after the plan was made"))
      #expect(try await home.accountCount() == 2 && home.auth.currentUser === other)
      try await home.auth.planMerge(of: other, into: ada).commit()
      #expect(try await home.accountCount() == 1)
    }
  }

  @Test(arguments: Backend.allCases)
  func `an account is not merged with itself`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      try await expectError(.operationNotAllowed) { try await home.auth.merge(ada, into: ada) }

      #expect(home.auth.currentUser === ada)
      try await ada.reload()
    }
  }

  @Test(arguments: Backend.production)
  func `a person who is signed out of either account merges nothing`(_ backend: Backend)
    async throws
  {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      let other = try await home.another().signIn(with: try home.google("o@gmail.example")).user
      try await home.revokeSessions(of: other)
      try await expectError(.userTokenExpired) { try await home.auth.merge(other, into: ada) }

      // The other session has ended.
      #expect(home.auth.currentUser === ada)
      try await ada.reload()
      #expect(try await home.accountCount() == 2)
    }
  }

  @Test(arguments: Backend.production)
  func `an old session of an account merges nothing`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      home.pass(seconds: 3000)
      let other = try await home.another().signIn(with: try home.google("o@gmail.example")).user
      try await expectError(.requiresRecentLogin) { try await home.auth.merge(other, into: ada) }

      try await ada.reauthenticate(with: home.emailAndPassword("ada@example.com"))
      try await home.auth.merge(other, into: ada)
      #expect(ada.providerIDs == ["google.com", "password"])
    }
  }
}

extension AuthHome {
  /// Returns another object for the same session on this device, without leaving it the current one.
  fileprivate func copy(of user: User) async throws -> User {
    let before = auth.currentUser
    try await auth.updateCurrentUser(user)
    let copy = try #require(auth.currentUser)
    if let before { try await auth.updateCurrentUser(before) }
    return copy
  }
}
