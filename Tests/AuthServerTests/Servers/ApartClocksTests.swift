import AuthCore
import AuthTesting
import Testing
import TestSupport

@testable import IdentityToolkitService

/// Sessions that begin at one server and are ended at another one, whose clock is behind or ahead.
@Suite struct `Servers whose clocks do not agree` {
  /// The seconds by which the clock of the server that ends sessions is ahead, and the seconds after the sign-in.
  struct Case: Sendable, CustomTestStringConvertible {
    let place: ApartServers.Place
    let ahead: Int64
    let after: Int64

    /// True if both times are in different seconds, as they are written.
    var isTold: Bool { ahead + after != 0 }

    var testDescription: String { "\(place), \(ahead) s ahead, \(after) s later" }

    private static let usual: [(Int64, Int64)] = [(-300, 1), (-1, 1), (0, 0), (300, 1)]
    private static let more: [(Int64, Int64)] = [(-30, 1), (-2, 1), (0, 1), (2, 1), (30, 1)]

    /// The further cases are for a soak test.
    static let all = ApartServers.Place.allCases.flatMap { place in
      (usual + (TestBudget.isSoak ? more : [])).map {
        Case(place: place, ahead: $0.0, after: $0.1)
      }
    }
  }

  @Test(arguments: Case.all)
  func `D5: the end of sessions at one server ends those of another, and no later ones`(
    _ example: Case
  ) async throws {
    try await ApartServers.run(in: example.place, secondAhead: example.ahead) { servers in
      for (number, act) in EndingAct.all.enumerated() {
        try await expectEnd(by: act, number, example, servers)
        servers.wait(seconds: 60)
      }
    }
  }

  private func expectEnd(
    by act: EndingAct, _ number: Int, _ example: Case, _ servers: ApartServers
  ) async throws {
    var subject = EndingAct.Subject(
      email: "p\(number)@example.com", number: "+1555555\(1000 + number)")
    try await act.open(servers.first, &subject)
    servers.wait(seconds: 1)
    let old = try await HeldSession(
      try await act.enter(servers.first, subject), at: servers.first)
    #expect(old.tokens.uid == subject.uid, "\(act.name)")
    servers.wait(seconds: example.after)

    try await act.end(servers.second, subject)

    let isTold = act.isShown && example.isTold
    try await expectOver(old, act, isTold: isTold, servers)
    let enter = act.enterAgain ?? act.enter
    var later: [HeldSession] = []
    for home in [servers.first, servers.third, servers.second] {
      let reply = try await enter(home, subject)
      guard reply.status == 200 else {
        Issue.record("\(act.name): no sign-in: \(reply.text)")
        continue
      }
      let new = try await HeldSession(reply, at: home)
      let behind = home.address == servers.second.address ? -example.ahead : example.ahead
      try await expectGood(new, act, behind: behind, at: home)
      // The first server accepts no token of a server that is far ahead.
      if home.address != servers.second.address { later.append(new) }
    }
    try await expectOver(old, act, isTold: isTold, servers)

    // Sessions that began ahead of the first server's clock end as well.
    _ = try await servers.first.graph.revokeSessions(
      of: AccountID(subject.uid), by: servers.first.admin)
    for new in later {
      try await expectOver(new, act, isTold: act.isShown && example.ahead > 0, servers)
    }
  }

  private func expectOver(
    _ old: HeldSession, _ act: EndingAct, isTold: Bool, _ servers: ApartServers
  ) async throws {
    let ended: Set = ["TOKEN_EXPIRED", "USER_NOT_FOUND"]
    for home in [servers.first, servers.third] {
      let refreshed = try await home.refresh(old.tokens.refreshToken)
      #expect(ended.contains(refreshed.message ?? ""), "\(act.name): \(refreshed.text)")
      let seen = try await home.post("/v1/accounts:lookup", old.tokens.session)
      #expect(ended.contains(seen.message ?? ""), "\(act.name): \(seen.text)")
      let changed = try await home.post(
        ServerHome.update,
        ["idToken": .string(old.tokens.idToken), "displayName": "Thief"])
      #expect(ended.contains(changed.message ?? ""), "\(act.name): \(changed.text)")
      #expect(try await home.isOver(cookie: old.cookie), "\(act.name)")
      guard isTold else { continue }
      for token in [old.tokens.idToken, old.cookie] {
        for claim in ["auth_time", "iat"] {
          let isRefused = try await home.sdkRefuses(token, by: claim)
          #expect(isRefused, "\(act.name): an Admin SDK takes it by \(claim)")
        }
      }
    }
    let refreshed = try await servers.second.refresh(old.tokens.refreshToken)
    #expect(ended.contains(refreshed.message ?? ""), "\(act.name): \(refreshed.text)")
  }

  private func expectGood(
    _ new: HeldSession, _ act: EndingAct, behind seconds: Int64, at home: ServerHome
  ) async throws {
    let seen = try await home.post("/v1/accounts:lookup", new.tokens.session)
    #expect(seen.status == 200, "\(act.name): \(seen.text)")
    let refreshed = try await home.refresh(new.tokens.refreshToken)
    #expect(refreshed.status == 200, "\(act.name): \(refreshed.text)")
    let renamed = try await home.post(
      ServerHome.update, ["idToken": .string(new.tokens.idToken), "displayName": "Ada"])
    #expect(renamed.status == 200, "\(act.name): \(renamed.text)")
    #expect(try await !home.isOver(cookie: new.cookie), "\(act.name)")
    for token in [new.tokens.idToken, new.cookie] {
      #expect(try await !home.sdkRefuses(token), "\(act.name): an Admin SDK refuses it")
      // No token is issued further ahead than verifiers accept.
      guard seconds <= 60 else { continue }
      let isRefused = try await home.sdkRefuses(token, by: "iat")
      #expect(!isRefused, "\(act.name): an Admin SDK refuses it by iat")
    }
  }
}
