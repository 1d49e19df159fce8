import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// Each policy of this repository decides a real conflict over HTTP.
@Suite(.serialized) struct `Policies that ship, over HTTP` {
  @Test func `last-signed-in: the account that signed in last stays`() async throws {
    try await withFederation(.production) { home in
      try await home.use("last-signed-in.lua")
      let (bo, ada) = try await home.boAndAda()
      let reply = try await home.linkBo()
      #expect(reply.json["localId"] == .string(ada.rawValue), "\(reply.text)")
      #expect(reply.json["mergedFrom"] == [.string(bo.rawValue)])
    }
    try await withFederation(.production) { home in
      try await home.use("last-signed-in.lua")
      let (bo, _) = try await home.boAndAda()
      let token = try await home.session(email: "ada@example.com")
      home.server.clock.advance(seconds: 5)
      try await home.signIn(.google, .bo)
      let reply = try await home.signIn(.google, .bo, idToken: token)
      #expect(reply.json["localId"] == .string(bo.rawValue), "\(reply.text)")
    }
  }

  @Test func `keep-oldest: the older account stays`() async throws {
    try await withFederation(.production) { home in
      try await home.use("keep-oldest.lua")
      let (bo, ada) = try await home.boAndAda()
      let reply = try await home.linkBo()
      #expect(reply.json["localId"] == .string(bo.rawValue), "\(reply.text)")
      #expect(reply.json["mergedFrom"] == [.string(ada.rawValue)])
      #expect(try await home.stored(bo).email?.text == "ada@example.com")
    }
  }

  @Test func `never-staff: the staff's account is not merged`() async throws {
    try await withFederation(.production) { home in
      try await home.use("never-staff.lua")
      let (bo, _) = try await home.boAndAda()
      try await home.claim(bo, ["role": "staff"])
      let refused = try await home.linkBo()
      try await expectConflict(refused, home)
      #expect(!refused.text.contains("staff"))
      #expect(
        try await home.refusal() == ["reason": "staff are merged by hand", "code": "staff"])
      try await home.claim(bo, ["role": "author"])
      expectTokens(try await home.linkBo())
    }
  }

  @Test func `payer-stays: the better plan and the seats go on in the token`() async throws {
    try await withFederation(.production) { home in
      try await home.use("payer-stays.lua")
      let (bo, ada) = try await home.boAndAda()
      try await home.claim(bo, ["plan": "free", "seats": 5, "beta": true])
      try await home.claim(ada, ["plan": "pro", "seats": 3])
      let reply = try await home.linkBo()
      #expect(reply.json["localId"] == .string(ada.rawValue), "\(reply.text)")
      let claims = try home.claims(reply)
      #expect(claims["plan"] == "pro" && claims["seats"] == 5 && claims["beta"] == true)
    }
  }

  @Test func `same-mailbox: two spellings of a Gmail address are one`() async throws {
    let spelled = FakePerson(subject: "g-1", email: "adal@gmail.com", name: "Ada")
    try await withFederation(.production) { home in
      try await home.use("same-mailbox.lua")
      let (_, _) = try await home.boAndAda()
      try await expectConflict(try await home.linkBo(), home)
      #expect(try await home.refusal()?["code"] == "other-mailbox")

      let first = try await home.signIn(.google, spelled)
      _ = try await home.account(email: "ada.l+shop@gmail.com", verified: true)
      let token = try await home.session(email: "ada.l+shop@gmail.com")
      let reply = try await home.signIn(.google, spelled, idToken: token)
      expectTokens(reply)
      #expect(try await home.accountCount() == 3, "Bo, Ada, and one of the two.")
      let uids = [reply.json["localId"], reply.json["mergedFrom"]?.items.first]
      let uid = first.json["localId"]
      #expect(uids.contains(uid), "\(reply.text)")
    }
  }

  @Test func `two-passwords: a link is refused, and an own merge keeps one`() async throws {
    try await withFederation(.production) { home in
      try await home.use("two-passwords.lua")
      let bo = try await home.account(email: "bo@example.com", verified: true)
      try await home.signIn(.google, .bo, idToken: home.session(email: "bo@example.com"))
      home.server.clock.advance(seconds: 1)
      _ = try await home.account(email: "ada@example.com", verified: true)
      try await expectConflict(try await home.linkBo(), home)
      #expect(try await home.refusal()?["code"] == "two-passwords")

      let merged = try await home.server.merge(
        home.session(email: "ada@example.com"), into: home.session(email: "bo@example.com"))
      #expect(merged.localID == bo.rawValue, "\(merged.text)")
      let passwords = try await home.stored(bo).identities(of: .password)
      #expect(passwords.map(\.key.subject) == ["bo@example.com"])
    }
  }

  @Test func `ask-an-admin: two members wait in the list until an admin merges them`()
    async throws
  {
    try await withFederation(.production) { home in
      try await home.use("ask-an-admin.lua")
      let (bo, ada) = try await home.boAndAda()
      try await expectConflict(try await home.linkBo(), home)

      let path = "\(home.server.adminRoot)/mergeOffers"
      let list = try await home.server.admin("GET", path)
      let offer = try #require(list.json["offers"]?.items.first, "\(list.text)")
      #expect(offer["reason"] == "both accounts are members'" && offer["notShown"] == [])
      #expect(offer["keep"] == .string(bo.rawValue) && offer["absorb"] == .string(ada.rawValue))
      let id = try #require(offer["id"]?.stringValue)
      let merged = try await home.server.admin(
        "POST", "\(path)/\(id):merge", ["reason": "same person"])
      #expect(merged.json["action"] == "merge", "\(merged.text)")
      #expect(try await home.accountCount() == 1)
    }
  }

  @Test func `second-factor: the client signs in with its factor, and repeats the link`()
    async throws
  {
    let number = "+15555550100"
    try await withFederation(.production) { home in
      try await home.use("second-factor.lua")
      let ada = try await home.account(email: "ada@example.com", verified: true)
      home.server.clock.advance(seconds: 1)
      try await home.signIn(.google, .bo)
      let refused = try await home.linkBo()
      #expect(refused.message == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(refused.text)")
      #expect(refused.json["idToken"] == nil && refused.json["localId"] == nil)
      #expect(try await home.accountCount() == 2)

      try await home.server.enroll(number, home.session(email: "ada@example.com"))
      let pending = try await home.server.enter("ada@example.com", "opensesame")
      let shown = try await home.server.showPhone(pending, number)
      let token = try shown.text("idToken")
      home.server.clock.advance(seconds: 200)
      let reply = try await home.signIn(.google, .bo, idToken: token)
      #expect(reply.json["localId"] == .string(ada.rawValue), "\(reply.text)")
      let account = try await home.stored(ada)
      #expect(account.secondFactors.count == 1 && account.identities(of: .google).count == 1)
    }
  }

  @Test func `visitors-only: a visitor becomes the member, and members stay apart`() async throws {
    try await withFederation(.production) { home in
      try await home.use("visitors-only.lua")
      let (bo, _) = try await home.boAndAda()
      try await expectConflict(try await home.linkBo(), home)
      #expect(try await home.refusal()?["code"] == "members")
      let reply = try await home.signIn(.google, .bo, idToken: home.anonymousSession())
      #expect(reply.json["localId"] == .string(bo.rawValue), "\(reply.text)")
      #expect(try await home.accountCount() == 2)
    }
  }

  @Test func `field-by-field: each field has its own rule`() async throws {
    try await withFederation(.production) { home in
      try await home.use("field-by-field.lua")
      let (bo, ada) = try await home.boAndAda()
      try await home.claim(bo, ["points": 9, "language": "en", "topics": ["a"]])
      try await home.claim(ada, ["points": 7, "language": "fr", "topics": ["b", "c"]])
      let reply = try await home.linkBo()
      #expect(reply.json["localId"] == .string(bo.rawValue), "\(reply.text)")
      let account = try await home.stored(bo)
      #expect(account.displayName == "Bo Diddley")
      #expect(
        account.customClaims?.members == ["points": 9, "language": "fr", "topics": ["b", "c"]])
    }
  }

  @Test func `google-may: another provider may not, also in an own merge`() async throws {
    try await withFederation(.production) { home in
      try await home.use("google-may.lua")
      let (bo, ada) = try await home.boAndAda()
      let cy = FakePerson(subject: "a-1", email: "cy@example.com", name: "Cy")
      try await home.signIn(.apple, cy)
      let refused = try await home.signIn(
        .apple, cy, idToken: home.session(email: "ada@example.com"))
      try await expectConflict(refused, home, accounts: 3)
      #expect(try await home.refusal()?["code"] == "other-provider")

      _ = try await home.graph.assert(
        IdentityKey(Federation.facebook, subject: "f-1"), profile: IdentityProfile(), on: ada,
        by: home.server.admin)
      let own = try await home.server.merge(
        home.session(email: "ada@example.com"), into: home.signIn(.google, .bo).text("idToken"))
      #expect(
        own.message
          == "MERGE_REFUSED : The merge policy google-may refused: accounts of Facebook stay apart")
      #expect(own.json["error"]?["errors"]?.items.first?["reason"] == "other-provider")

      let reply = try await home.linkBo()
      #expect(reply.json["localId"] == .string(bo.rawValue), "\(reply.text)")
    }
  }

  @Test func `old-accounts: two that are older than 30 days wait`() async throws {
    try await withFederation(.production) { home in
      try await home.use("old-accounts.lua")
      let (bo, _) = try await home.boAndAda()
      home.server.clock.advance(seconds: 31 * 24 * 60 * 60)
      try await expectConflict(try await home.linkBo(), home)
      #expect(try await home.offers() == ["both accounts are older than 30 days"])

      _ = try await home.account(email: "new@example.com", verified: true)
      let reply = try await home.linkBo(to: "new@example.com")
      #expect(reply.json["localId"] == .string(bo.rawValue), "\(reply.text)")
    }
  }

  @Test func `one-merge-a-month: a second merge waits until the month is over`() async throws {
    try await withFederation(.production) { home in
      try await home.use("one-merge-a-month.lua")
      let (bo, ada) = try await home.boAndAda()
      let first = try await home.linkBo()
      #expect(first.json["localId"] == .string(bo.rawValue), "\(first.text)")
      let history = try await home.graph.history(
        ofConflict: bo, with: ada, in: home.server.scope)
      #expect(history.current.map(\.uid) == [ada] && history.existing.isEmpty)

      _ = try await home.account(email: "new@example.com", verified: true)
      try await expectConflict(try await home.linkBo(to: "new@example.com"), home)
      #expect(try await home.refusal()?["code"] == "merged-lately")

      home.server.clock.advance(seconds: 30 * 24 * 60 * 60)
      let later = try await home.linkBo(to: "new@example.com")
      #expect(later.json["localId"] == .string(bo.rawValue), "\(later.text)")
      #expect(try await home.accountCount() == 1)
    }
  }

  @Test func `company-domain: the Workspace's claim decides`() async throws {
    try await withFederation(.production) { home in
      try await home.use("company-domain.lua")
      let (bo, _) = try await home.boAndAda()
      for claims in [[:], ["hd": "other.example"]] as [[String: JSONValue]] {
        try await expectConflict(try await home.linkBo(claims: claims), home)
        #expect(try await home.refusal()?["code"] == "other-company")
      }
      let reply = try await home.linkBo(claims: ["hd": "corp.example"])
      #expect(reply.json["localId"] == .string(bo.rawValue), "\(reply.text)")
    }
  }

  @Test func `one-team: each of the chained policies has its say`() async throws {
    try await withFederation(.production) { home in
      try await home.use("one-team.lua")
      let (bo, ada) = try await home.boAndAda()
      try await home.claim(bo, ["role": "admin"])
      try await expectConflict(try await home.linkBo(), home)
      #expect(try await home.refusal()?["code"] == "staff")
      try await home.claim(bo, ["blocked": true])
      try await expectConflict(try await home.linkBo(), home)
      #expect(try await home.refusal()?["code"] == "blocked")
      try await home.claim(bo, ["plan": "free"])
      try await home.claim(ada, ["plan": "team"])
      let reply = try await home.linkBo()
      #expect(reply.json["localId"] == .string(ada.rawValue), "\(reply.text)")
    }
  }
}
