import AuthCore
import Foundation
import SQLiteStore
import Testing
import TestSupport

/// `authgraph doctor` and `authgraph mend` on accounts that an earlier version merged.
@Suite struct `Mending accounts` {
  let folder: TemporaryFolder
  private let now = Timestamp(milliseconds: 1_700_000_000_000)

  init() throws {
    folder = try TemporaryFolder()
  }

  private func password(_ email: String) throws -> Identity {
    Identity(
      key: .password(try EmailAddress(email)), origin: .credential, linkedAt: now,
      secret: StoredSecret(encoded: "$sha256$", changedAt: now))
  }

  private func account(
    _ uid: String, _ email: String, verified: Bool, _ identities: [Identity], guarded: Bool = false
  ) throws -> Account {
    var account = Account(
      id: AccountID(uid), scope: Scope(project: "default"), createdAt: now)
    account.email = try EmailAddress(email)
    account.emailVerified = verified
    account.identities = identities
    if guarded { account.secondFactors = [SecondFactor(id: "f1", kind: .totp)] }
    return account
  }

  /// Makes a store with two accounts that can be mended, one that would lose its last way to sign in, and a sound one.
  private func fill() async throws {
    let work = Identity(
      key: IdentityKey(ProviderID("oidc.work"), subject: "s1"), origin: .credential, linkedAt: now)
    let accounts = try [
      account(
        "merged", "ada@example.com", verified: true,
        [password("ada@example.com"), password("old@example.com")]),
      account(
        "guarded", "victim@example.com", verified: false, [password("victim@example.com"), work],
        guarded: true),
      account("alone", "new@example.com", verified: false, [password("gone@example.com")]),
      account("sound", "bo@example.com", verified: false, [password("bo@example.com")]),
    ]
    let store = try SQLiteStore(path: folder.store)
    try await store.write { writer in
      for account in accounts { try writer.insert(account) }
    }
  }

  private func doctor() throws -> Program.Outcome {
    let file = try folder.write(
      "authgraph.yaml", "publicURL: https://127.0.0.1:1\nstore: sqlite:accounts.db\n")
    return try Program.run(["doctor", "--config", file, "--json"], in: folder)
  }

  private func mend(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["mend"] + arguments, in: folder)
  }

  @Test func `the doctor lists them, a plan writes nothing, and a commit mends them`() async throws
  {
    try await fill()
    let sick = try doctor()
    #expect(sick.status == 1)
    #expect(sick.output.contains("3 accounts of default have a fault"), "\(sick.output)")
    #expect(sick.output.contains("merged has a password of old@example.com"))
    #expect(sick.output.contains("authgraph mend --project default shows how to mend them"))
    let before = try Program.run(["export"], in: folder).output

    let plan = try mend()
    #expect(plan.status == 0, "\(plan.errors)")
    for words in [
      "password/old@example.com", "the address", "planned", "left",
      "Nothing is written.", "--force",
    ] {
      #expect(plan.output.contains(words), "\(words) in \(plan.output)")
    }
    #expect(!plan.output.contains("sound"))
    #expect(try Program.run(["export"], in: folder).output == before)
    #expect(try mend("--commit").status != 0)

    let mended = try mend("--commit", "--reason", "version 0.1 merged them", "--json")
    #expect(mended.status == 0, "\(mended.errors)")
    let rows = try JSONValue(text: mended.output).items
    #expect(rows.map { $0["uid"] } == ["alone", "guarded", "merged"])
    #expect(rows.map { $0["outcome"] } == ["left", "mended", "mended"])
    #expect(rows[1]["lostEmail"] == "victim@example.com")
    #expect(try folder.lua("#accounts.get('merged').providerData") == "1")
    #expect(try folder.lua("accounts.get('guarded').email == nil") == "true")
    #expect(
      try folder.lua("return accounts.get('merged'):history()[1].reason").contains("version 0.1"))

    let better = try doctor()
    #expect(better.output.contains("1 accounts of default"), "\(better.output)")
    #expect(try mend("--commit", "--force", "--reason", "nobody uses it").status == 0)
    let well = try doctor()
    #expect(well.status == 0, "\(well.output)")
    #expect(well.output.contains("4 accounts, none of them with a fault."))
    #expect(try mend().output.contains("No account of default has a fault."))
  }
}

extension JSONValue {
  fileprivate var items: [JSONValue] {
    if case .array(let items) = self { items } else { [] }
  }
}
