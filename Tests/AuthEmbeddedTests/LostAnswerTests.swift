import AuthClient
import Foundation
import Testing

@Suite("Answers that get lost or come late, on every backend") struct LostAnswerTests {
  @Test(arguments: Backend.allCases)
  func `a link whose lookup is lost is made, and its session goes on`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let user = try await home.auth.signInAnonymously().user
      home.traffic.answer("/v1/accounts:lookup", "{}", status: 503)
      try await expectError(.internalError) {
        try await user.link(with: home.emailAndPassword("ada@example.com"))
      }
      home.traffic.answer("/v1/accounts:lookup", nil)

      #expect(home.auth.currentUser === user)
      try await user.reload()
      #expect(user.providerIDs == ["password"] && !user.isAnonymous)
      home.pass(seconds: 3600)
      _ = try await user.getIDToken()
    }
  }

  @Test(arguments: Backend.allCases)
  func `a merge whose lookup is lost is made, and its session goes on`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let first = try await home.auth.signInAnonymously().user
      let ada = try await home.ada()
      home.traffic.answer("/v1/accounts:lookup", "{}", status: 503)
      try await expectError(.internalError) { try await home.auth.merge(first, into: ada) }
      home.traffic.answer("/v1/accounts:lookup", nil)

      #expect(home.auth.currentUser === ada)
      try await ada.reload()
      try await expectError(.operationNotAllowed) { try await home.auth.merge(ada, into: ada) }
    }
  }

  @Test(arguments: Backend.allCases)
  func `a late answer about old tokens does not end a session that has new ones`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      home.pass(seconds: 2)
      let refusal = #"{"error": {"code": 400, "message": "TOKEN_EXPIRED"}}"#
      let line = home.traffic
      line.hold("/v1/accounts:lookup", BackendResponse(status: 400, body: Data(refusal.utf8)))
      let late = Task { try await ada.reload() }
      while line.held == 0 { await Task.yield() }
      _ = try await ada.getIDTokenResult(forcingRefresh: true)
      line.release()

      // The request is sent again with the new token, without a further refresh.
      try await late.value
      #expect(home.auth.currentUser === ada && line.count("/v1/token") == 1)
      try await ada.reload()
    }
  }

  @Test(arguments: Backend.allCases)
  func `a late answer to a reload does not undo a link`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      let before = #"{"users": [{"localId": "\#(ada.uid)", "email": "ada@example.com"}]}"#
      let line = home.traffic
      line.hold("/v1/accounts:lookup", BackendResponse(status: 200, body: Data(before.utf8)))
      let late = Task { try await ada.reload() }
      while line.held == 0 { await Task.yield() }
      try await ada.link(with: try home.google("ada@example.com"))
      line.release()

      try await late.value
      #expect(ada.providerIDs == ["google.com", "password"])
    }
  }

  @Test(arguments: Backend.allCases)
  func `a link and a new password at once are both made`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      home.pass(seconds: 2)
      home.traffic.delay("/v1/accounts:lookup", by: .milliseconds(20))
      let google = try home.google("ada@example.com")
      async let link = ada.link(with: google)
      async let password: Void = ada.updatePassword(to: "another one")
      let result = try await link
      try await password

      #expect(result.user === ada && home.auth.currentUser === ada)
      #expect(ada.providerIDs == ["google.com", "password"])
      try await home.another().signIn(withEmail: "ada@example.com", password: "another one")
    }
  }

  @Test(arguments: Backend.allCases)
  func `a refresh that something in between answered ends nothing`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      home.pass(seconds: 3600)
      home.traffic.answer("/v1/token", #"{"portal": "Sign in to the hotel"}"#)
      try await expectError(.internalError) { try await ada.getIDToken() }
      #expect(home.auth.currentUser === ada)
      home.traffic.answer("/v1/token", nil)
      _ = try await ada.getIDToken()
    }
  }

  @Test(arguments: Backend.allCases)
  func `a user goes on when sign-ins are about another tenant`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      home.auth.tenantID = try await home.openTenant()

      try await ada.reload()
      _ = try await ada.getIDTokenResult(forcingRefresh: true)
      #expect(ada.tenantID == nil)
      try await ada.delete()
      let bo = try await home.auth.signInAnonymously().user
      #expect(bo.tenantID == home.auth.tenantID)
      home.auth.tenantID = nil
      try await bo.reload()
      #expect(bo.tenantID != nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func `two anonymous accounts merged are an anonymous one`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let first = try await home.auth.signInAnonymously().user
      try home.auth.signOut()
      let second = try await home.auth.signInAnonymously().user

      let merged = try await home.auth.merge(first, into: second)

      #expect(merged.user === second && merged.mergedFrom == [first.uid])
      #expect(second.isAnonymous)
    }
  }
}
