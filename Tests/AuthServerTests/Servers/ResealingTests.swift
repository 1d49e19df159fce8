import AuthCore
import AuthTesting
import BuiltInProviders
import IdentityToolkitService
import SessionTokens
import Testing

/// Every kind of sealed value in a store, with one key or two.
@Suite struct `D2: sealing a store with one key` {
  private let store = MemoryStore()
  private let old = EphemeralSealing()
  private let new = EphemeralSealing()
  private let scope = Scope(project: "shop")
  private let tenant = Scope(project: "shop", tenant: "t")
  private let servers = Scope(project: "")
  private let now = Timestamp(milliseconds: 1_700_000_000_000)

  private func account(_ uid: String, _ scope: Scope, sealedBy key: EphemeralSealing) throws
    -> Account
  {
    var account = Account(id: AccountID(uid), scope: scope, createdAt: now)
    account.secondFactors = [
      SecondFactor(
        id: "f-\(uid)", kind: .totp,
        secret: StoredSecret(
          encoded: try key.seal("SECRET OF \(uid)", for: "totp f-\(uid) \(scope)"), changedAt: now))
    ]
    return account
  }

  /// Writes every kind of sealed value with a key; returns their places.
  private func fill(_ key: EphemeralSealing) async throws {
    let (scope, tenant, servers, now) = (scope, tenant, servers, now)
    let ada = try account("ada", scope, sealedBy: key)
    let bo = try account("bo", tenant, sealedBy: key)
    let cy = try account("cy", scope, sealedBy: key)
    let merged = ada.with(cy.secondFactors)
    let deletion = KeptDeletion(
      event: "d1", at: now, actor: "ada", reason: nil,
      account: try account("dan", scope, sealedBy: key), until: now)
    let merge = MergeRecord(
      id: "m1", scope: scope, at: now, actor: "ada", reason: nil, survivorBefore: ada,
      absorbedBefore: cy, survivorAfter: merged, batch: "b1")
    let transfer = TransferRecord(
      id: "t1", action: .split, scope: scope, at: now, actor: "ada", reason: nil,
      sourceBefore: ada, sourceAfter: ada, targetBefore: nil, targetAfter: cy)
    let records: [(OneTimeRecord.Kind, String, String)] = [
      (.code, "c1", "code c1"), (.actionCode, "action:1", "action:1"),
      (.authorization, "state1", "authorization state1"),
      (.authorization, "return:state1", "return state1"),
      (.authorization, "credential:tok", "pending credential tok"),
      (.pending, "p1", "pending p1"), (.enrollment, "e1", "enrollment e1"),
    ]
    try await store.write { writer in
      for account in [merged, bo] { try writer.insert(account) }
      try writer.save(merge)
      for record in deletion.records { try writer.save(record, in: scope) }
      try writer.save(
        OneTimeRecord(
          id: "transfer:t1", kind: .transfer, expiresAt: now, content: transfer.json), in: scope)
      try writer.save(
        OneTimeRecord(id: "transfers of:ada", kind: .transfer, expiresAt: now, content: "t1"),
        in: scope)
      for (place, name) in [(scope, "oidc.work"), (tenant, "oidc.home")] {
        var settings = ProjectSettings()
        settings.providers[name] = ProviderConfiguration(
          values: ["clientID": "app"],
          sealedSecrets: [
            "clientSecret": try key.seal("s", for: "configuration \(name) clientSecret \(place)")
          ])
        settings.keyProbe = try key.seal("probe", for: "probe \(place)")
        try writer.save(settings, for: place)
      }
      for (kind, id, purpose) in records {
        try writer.save(
          OneTimeRecord(
            id: id, kind: kind, expiresAt: now, content: try key.seal("content", for: purpose)),
          in: scope)
      }
      try writer.save(
        OneTimeRecord(id: "attempts:x", kind: .attempts, expiresAt: now, content: "3"), in: scope)
      try writer.save(
        OneTimeRecord(
          id: "message:000000000000001:h", kind: .message, expiresAt: now,
          content: try key.seal("mail", for: "message h")), in: servers)
    }
    let tokens = TokenService(style: .signed(.es256), store: store, secrets: key)
    for use in [KeyUse.idToken, .sessionCookie] {
      _ = try await tokens.publication.keySet(use, project: "shop")
    }
    try await StoreKey(store: store, secrets: key).check(projects: ["shop"])
  }

  /// Expects that a key opens every value.
  private func expectOpen(_ key: EphemeralSealing) async throws {
    let store = store
    try await store.read { [scope, tenant, servers] reader in
      for account in [("ada", scope), ("bo", tenant)] {
        let found = try #require(try reader.account(AccountID(account.0), in: account.1))
        for factor in found.secondFactors {
          let text = try key.open(
            factor.secret?.encoded ?? "", for: "totp \(factor.id) \(account.1)")
          #expect(text == "SECRET OF \(factor.id.dropFirst(2))")
        }
      }
      let merge = try #require(try reader.merge("m1", in: scope))
      let ada = try #require(try reader.account(AccountID("ada"), in: scope))
      #expect(merge.survivorAfter.secondFactors == ada.secondFactors, "It can be undone.")
      for side in [merge.survivorBefore, merge.absorbedBefore] {
        #expect(ada.secondFactors.contains(side.secondFactors[0]))
      }
      let transfer = try #require(try reader.transfer("t1", in: scope))
      #expect(transfer.sourceBefore.secondFactors.allSatisfy(ada.secondFactors.contains))
      let moved = try #require(transfer.targetAfter.secondFactors.first)
      #expect(
        try key.open(moved.secret?.encoded ?? "", for: "totp \(moved.id) \(scope)")
          == "SECRET OF cy")
      #expect(try reader.oneTimeRecord("transfers of:ada", in: scope)?.content == "t1")
      let deleted = try reader.deletion(keeping: AccountID("dan"), in: scope)?.account
      let factor = try #require(deleted?.secondFactors.first)
      #expect(
        try key.open(factor.secret?.encoded ?? "", for: "totp \(factor.id) \(scope)")
          == "SECRET OF dan")
      for (place, name) in [(scope, "oidc.work"), (tenant, "oidc.home")] {
        let settings = try reader.settings(of: place)
        let sealed = try #require(settings.providers[name]?.sealedSecrets["clientSecret"])
        #expect(
          try key.open(sealed, for: "configuration \(name) clientSecret \(place)") == "s")
        #expect(try key.open(settings.keyProbe ?? "", for: "probe \(place)") == "probe")
      }
      for (id, purpose) in [
        ("c1", "code c1"), ("action:1", "action:1"), ("state1", "authorization state1"),
        ("return:state1", "return state1"), ("credential:tok", "pending credential tok"),
        ("p1", "pending p1"), ("e1", "enrollment e1"),
      ] {
        let record = try #require(try reader.oneTimeRecord(id, in: scope), "\(id)")
        #expect(try key.open(record.content, for: purpose) == "content")
      }
      #expect(try reader.oneTimeRecord("attempts:x", in: scope)?.content == "3")
      let message = try #require(
        try reader.oneTimeRecord("message:000000000000001:h", in: servers))
      #expect(try key.open(message.content, for: "message h") == "mail")
    }
    let tokens = TokenService(style: .signed(.es256), store: store, secrets: key)
    #expect(try await !tokens.keys.list(project: "shop").isEmpty)
    try await StoreKey(store: store, secrets: key).check(projects: ["shop"])
  }

  private func counts(_ findings: [ResealingFinding: Int]) -> [ResealingOutcome: Int] {
    findings.reduce(into: [:]) { $0[$1.key.outcome, default: 0] += $1.value }
  }

  @Test func `D2: a plan names everything and writes nothing`() async throws {
    try await fill(old)
    let plan = try await StoreKey(store: store, secrets: new).reseal(
      with: [old], commits: false, drops: true)
    let what = Set(plan.keys.map(\.what))
    #expect(
      what == [
        "clientSecret of oidc.work", "clientSecret of oidc.home", "the probe of the key",
        "the keys that sign id-tokens", "the keys that sign session-cookies",
        "a code that was sent", "a link that was sent", "a sign-in at a vendor",
        "a sign-in that waits for a second factor", "an enrolment of a second factor",
        "a message that waits to be sent", "an authenticator app of ada",
        "an authenticator app of bo", "an authenticator app in the journal of merges",
        "an authenticator app of a deleted account",
        "an authenticator app in the journal of splits and moves", "the mark of the store's key",
      ])
    #expect(counts(plan) == [.resealed: 26], "\(plan)")
    try await expectOpen(old)
  }

  @Test func `D2: everything that another key sealed is sealed anew, and once`() async throws {
    try await fill(old)
    let key = StoreKey(store: store, secrets: new)
    _ = try await key.reseal(with: [old], commits: true, drops: false)
    try await expectOpen(new)
    let again = try await key.reseal(with: [old], commits: true, drops: false)
    #expect(counts(again) == [.kept: 26])
    try await expectOpen(new)
  }

  @Test
  func `D2: a record that no key opens stays, and goes on request unless it is a second factor`()
    async throws
  {
    try await fill(old)
    let key = StoreKey(store: store, secrets: new)
    let left = try await key.reseal(with: [EphemeralSealing()], commits: true, drops: false)
    // The probes and the mark hold no data, and are made anew.
    #expect(counts(left) == [.unreadable: 23, .resealed: 3], "\(left)")
    let dropped = try await key.reseal(with: [], commits: true, drops: true)
    #expect(counts(dropped) == [.unreadable: 11, .dropped: 12, .kept: 3], "\(dropped)")
    #expect(
      dropped.keys.filter { $0.outcome == .unreadable }
        .allSatisfy { $0.what.hasPrefix("an authenticator app") })
    let store = store
    try await store.read { [scope, tenant, servers] reader in
      let ada = try reader.account(AccountID("ada"), in: scope)
      #expect(ada?.secondFactors.count == 2)
      let settings = try reader.settings(of: tenant)
      #expect(settings.providers["oidc.home"]?.sealedSecrets == [:])
      let (code, attempts) = (
        try reader.oneTimeRecord("c1", in: scope), try reader.oneTimeRecord("attempts:x", in: scope)
      )
      #expect(code == nil && attempts != nil)
      let message = try reader.oneTimeRecord("message:000000000000001:h", in: servers)
      #expect(message == nil)
    }
    try await key.check(projects: ["shop"])
    let tokens = TokenService(style: .signed(.es256), store: store, secrets: new)
    _ = try await tokens.publication.keySet(.idToken, project: "shop")
  }

  @Test func `D2: a store without a mark shows its key by the sealed records of any scope`()
    async throws
  {
    let (tenant, old) = (tenant, old)
    try await store.write { writer in
      var settings = ProjectSettings()
      settings.providers["oidc.home"] = ProviderConfiguration(
        sealedSecrets: [
          "clientSecret": try old.seal("s", for: "configuration oidc.home clientSecret \(tenant)")
        ])
      try writer.save(settings, for: tenant)
    }
    await #expect(throws: AuthError.self) {
      try await StoreKey(store: store, secrets: new).check(projects: ["elsewhere"])
    }
    try await StoreKey(store: store, secrets: old).check(projects: ["elsewhere"])
  }
}

extension Account {
  fileprivate func with(_ factors: [SecondFactor]) -> Account {
    var account = self
    account.secondFactors += factors
    return account
  }
}
