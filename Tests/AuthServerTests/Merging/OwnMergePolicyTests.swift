import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `A project's policy over merges of one's own accounts` {
  @Test(arguments: ServerMode.allCases)
  func `it sees the absorbed account as the current one, with proof of both`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      try await home.decideMerges(
        """
        if not c.proof.both or c.current.email ~= "ada@example.com"
          or c.existing.email ~= "bo@example.com" or c.code ~= "credential-already-in-use" then
          return refuse "seen otherwise"
        end
        return merge { into = c.existing, from = c.current, fields = { displayName = "theirs" } }
        """)
      let (ada, bo) = try await home.twoAccounts()

      let merged = try await home.merge(ada.idToken, into: bo.idToken, ["policy": "project"])

      #expect(merged.localID == bo.uid, "\(merged.text)")
      #expect(try await home.ownRecord(try merged.text("idToken"))["displayName"] == "Ada")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `it may have the other account survive, whose session then goes on`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      try await home.decideMerges(
        "return merge { into = oldest(c.current, c.existing), from = newest(c.current, c.existing) }"
      )
      let (ada, bo) = try await home.twoAccounts()

      let plan = try await home.merge(ada.idToken, into: bo.idToken, at: ServerHome.planMerge)
      let merged = try await home.merge(
        ada.idToken, into: bo.idToken, ["revisions": try #require(plan.json["revisions"])])

      #expect(plan.json["survivor"] == .string(ada.uid), "\(plan.text)")
      #expect(plan.json["isReversed"] == true)
      #expect(plan.json["decidedBy"] == "policy house")
      #expect(merged.localID == ada.uid, "\(merged.text)")
      #expect(merged.json["mergedFrom"] == [.string(bo.uid)])
      #expect(try await home.ownRecord(try merged.text("idToken"))["displayName"] == "Ada")
      let over = try await home.post("/v1/accounts:lookup", bo.session)
      #expect(over.message == "USER_NOT_FOUND")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `it refuses with a reason that the client reads`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      try await home.decideMerges("return refuse \"shops stay apart\"")
      let (ada, bo) = try await home.twoAccounts()

      for path in [ServerHome.planMerge, ServerHome.merge] {
        let reply = try await home.merge(ada.idToken, into: bo.idToken, at: path)
        #expect(reply.status == 400)
        #expect(
          reply.message == "MERGE_REFUSED : The merge policy house refused: shops stay apart")
      }
      #expect(try await home.accountCount() == 2)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `no client gets round it`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let (ada, bo) = try await home.twoAccounts()
      let free = try await home.merge(
        ada.idToken, into: bo.idToken, ["policy": "survivor"], at: ServerHome.planMerge)
      #expect(free.status == 200, "\(free.text)")
      try await home.decideMerges("return refuse \"no\"")

      let forced = try await home.merge(ada.idToken, into: bo.idToken, ["policy": "survivor"])
      #expect(
        forced.message
          == "OPERATION_NOT_ALLOWED : The project's merge policy decides over merges.")

      try await home.decideMerges(
        on: "\"email-already-in-use\"", "return merge { into = c.existing, from = c.current }")
      let unasked = try await home.merge(ada.idToken, into: bo.idToken)
      #expect(
        unasked.message
          == "MERGE_REFUSED : The merge policy house does not answer credential-already-in-use.")
      #expect(try await home.accountCount() == 2)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `S15 one that fails refuses the merge, and has its details in the log alone`(
    _ mode: ServerMode
  ) async throws {
    let log = LogLines()
    try await withServer(mode, configure: { $0.logger = log.logger }) { home in
      let (ada, bo) = try await home.twoAccounts()
      for script in [
        "error(\"the secret of the house\")", "while true do end",
        "return merge { into = 7, from = c.current }", "return 7",
      ] {
        try await home.decideMerges(script)
        for path in [ServerHome.planMerge, ServerHome.merge] {
          log.clear()
          let reply = try await home.merge(ada.idToken, into: bo.idToken, at: path)

          expectFailure(reply, "MERGE_REFUSED : The project's merge policy failed.")
          #expect(log.text.contains("invalid-policy"), "\(path) \(script): \(log.text)")
        }
      }
      #expect(log.text.contains("secret") == false)
      #expect(try await home.accountCount() == 2)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a link of any kind that it ends in a merge names the absorbed account`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      try await home.decideMerges(
        on: "\"credential-already-in-use\", \"email-already-in-use\"",
        "return merge { into = c.existing, from = c.current }")
      let number = "+15555550177"
      let phone = try await home.phoneCode(number)
      let owner = try await home.post(
        "/v1/accounts:signInWithPhoneNumber",
        ["sessionInfo": .string(phone.session), "code": .string(phone.code)])
      #expect(owner.json["mergedFrom"] == nil)
      let guest = try await home.openAnonymously()
      let again = try await home.phoneCode(number)

      let linked = try await home.post(
        "/v1/accounts:signInWithPhoneNumber",
        [
          "sessionInfo": .string(again.session), "code": .string(again.code),
          "idToken": .string(guest.idToken),
        ])

      #expect(linked.localID == owner.localID, "\(linked.text)")
      #expect(linked.json["mergedFrom"] == [.string(guest.uid)])
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a link by e-mail that it ends in a merge names the absorbed account`(_ mode: ServerMode)
    async throws
  {
    try await withServer(mode) { home in
      try await home.decideMerges(
        on: "\"credential-already-in-use\", \"email-already-in-use\"",
        "return merge { into = c.existing, from = c.current }")
      let email = "ada@example.com"
      func open(_ more: [String: JSONValue] = [:]) async throws -> Reply {
        var body = more
        body["email"] = .string(email)
        body["oobCode"] = .string(try await home.code("EMAIL_SIGNIN", to: email))
        return try await home.post("/v1/accounts:signInWithEmailLink", .object(body))
      }
      let owner = try await open()
      let guest = try await home.openAnonymously()

      let linked = try await open(["idToken": .string(guest.idToken)])

      #expect(linked.localID == owner.localID, "\(linked.text)")
      #expect(linked.json["mergedFrom"] == [.string(guest.uid)])
    }
  }

  @Test func `a session that has shown its second factor links with a merge, and no older one`()
    async throws
  {
    try await withServer(.production) { home in
      try await home.decideMerges(
        on: "\"credential-already-in-use\", \"email-already-in-use\"",
        "return merge { into = c.current, from = c.existing }")
      let other = try await home.post(
        "/v1/accounts:signInWithEmailLink",
        [
          "email": "bo@example.com",
          "oobCode": .string(try await home.code("EMAIL_SIGNIN", to: "bo@example.com")),
        ])
      let ada = try await home.person()
      let number = "+15555550188"
      let shown = try await home.enroll(number, ada.idToken)
      func link(_ idToken: String) async throws -> Reply {
        try await home.post(
          "/v1/accounts:signInWithEmailLink",
          [
            "email": "bo@example.com", "idToken": .string(idToken),
            "oobCode": .string(try await home.code("EMAIL_SIGNIN", to: "bo@example.com")),
          ])
      }

      let ended = try await link(ada.idToken)
      let linked = try await link(try shown.text("idToken"))

      #expect(ended.message == "TOKEN_EXPIRED")
      #expect(linked.localID == ada.uid, "\(linked.text)")
      #expect(linked.json["mergedFrom"] == [.string(try other.text("localId"))])
    }
  }
}
