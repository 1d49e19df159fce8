import AuthTesting
import Testing
import TestSupport

@testable import AuthCore

@Suite struct `Masks of recorded conflicts` {
  private static let time = Timestamp(milliseconds: 1_700_000_000_000)

  /// Ada, who has a password, Google and a second factor.
  private func ada() throws -> Account {
    let email = try EmailAddress("Ada.L@Example.com")
    var account = Account(
      id: AccountID("uid-of-ada"), scope: Scope(project: "p"), createdAt: Self.time)
    account.email = email
    account.emailVerified = true
    account.displayName = "Ada Lovelace"
    account.photoURL = "https://photos.example/ada/1.png"
    account.phoneNumber = try PhoneNumber("+4915112345678")
    account.lastSignInAt = Self.time.adding(seconds: 5)
    account.customClaims = try CustomClaims([
      "role": "admin", "seats": 3, "beta": true, "note": "Ada Lovelace, +49 151 12345678",
      "owner": "uid-of-ada", "mail": "ada@home.example",
    ])
    account.details.screenName = "adal"
    account.identities = [
      Identity(
        key: .password(email), origin: .credential, linkedAt: Self.time,
        secret: StoredSecret(encoded: "$argon2id$hash", changedAt: Self.time)),
      Identity(
        key: IdentityKey(.google, subject: "10769150350006150715113082367"),
        profile: IdentityProfile(
          email: "ada.l@example.com", displayName: "Ada Lovelace", screenName: "adal",
          dateOfBirth: "1815-12-10"),
        emailVerified: true, origin: .credential, linkedAt: Self.time),
      Identity(
        key: .phone(try PhoneNumber("+4915112345678")), origin: .credential, linkedAt: Self.time),
    ]
    account.secondFactors = [
      SecondFactor(
        id: "factor-of-ada", kind: .phone(try PhoneNumber("+4915199999999")),
        displayName: "Ada's phone")
    ]
    return account
  }

  private func grace(_ email: String) throws -> Account {
    var account = Account(
      id: AccountID("about-grace"), scope: Scope(project: "p"),
      createdAt: Self.time.adding(seconds: -60))
    account.email = try EmailAddress(email)
    account.displayName = "Grace"
    return account
  }

  private func decision(
    _ current: Account, _ existing: Account,
    _ ruling: PolicyJudgement.Ruling = .answer(.refuse("no"))
  ) -> PolicyDecision {
    let conflict = MergeConflict(
      code: .emailAlreadyInUse, current: current, existing: existing, provider: .google,
      proof: MergeProof(current: true, existing: false), decidedAt: Self.time)
    return PolicyDecision(
      masking: JudgedConflict(conflict, [PolicyJudgement(policy: "p", ruling: ruling)]), id: "e1",
      scope: Scope(project: "p"), at: Self.time)
  }

  @Test func `nothing that identifies a person is stored`() throws {
    let reason = "Ada Lovelace <Ada.L@Example.com> of uid-of-ada asked root@corp.example"
    let text = decision(
      try ada(), try grace("grace@example.com"), .answer(.refuse(MergeRefusal(reason)))
    ).json.lowercased()

    for part in [
      "ada.l", "lovelace", "adal", "uid-of-ada", "about-grace", "grace", "15112345678", "99999999",
      "10769150350006150715113082367", "argon2id", "1815", "ada's", "factor-of", "/ada/", "@home",
      "root@",
    ] { #expect(!text.contains(part), "\(part) in \(text)") }
  }

  @Test func `flags, times, domains, hosts, providers and words of claims stay`() throws {
    let conflict = decision(try ada(), try grace("grace@example.com")).conflict
    let masked = conflict.current

    #expect(conflict.code == .emailAlreadyInUse && conflict.provider == .google)
    #expect(conflict.proof == MergeProof(current: true, existing: false))
    #expect(conflict.decidedAt == Self.time)
    #expect(masked.email?.domain == "example.com" && masked.emailVerified)
    #expect(masked.createdAt == Self.time && masked.lastSignInAt == Self.time.adding(seconds: 5))
    #expect(masked.photoURL == "https://photos.example/picture-1")
    #expect(masked.phoneNumber?.text == "+490000001")
    #expect(masked.identities.map(\.provider) == [.password, .google, .phone])
    #expect(masked.identities.map(\.emailVerified) == [false, true, false])
    #expect(masked.secondFactors.map(\.factorID) == ["phone"])
    let claims = masked.customClaims?.members
    #expect(claims?["role"] == "admin" && claims?["seats"] == 3 && claims?["beta"] == true)
    #expect(claims?["note"] == "text-1" || claims?["note"] == "text-2")
    #expect(claims?["owner"] == .string(masked.id.rawValue))
  }

  @Test func `equal values stay equal, and different ones different`() throws {
    let masked = decision(try ada(), try grace("ada.l@other.example")).conflict
    let (current, existing) = (masked.current, masked.existing)

    #expect(current.email?.canonical == current.identities[0].key.subject)
    #expect(
      current.email?.matches(try EmailAddress(current.identities[1].profile.email ?? "")) == true)
    #expect(current.email?.text != current.identities[1].profile.email, "They differ in case.")
    #expect(current.displayName == current.identities[1].profile.displayName)
    #expect(current.displayName != existing.displayName)
    #expect(current.phoneNumber?.text == current.identities[2].key.subject)
    let locals = [current, existing].map { $0.email?.canonical.split(separator: "@").first }
    #expect(locals[0] == locals[1], "The local parts are equal.")
  }

  @Test(arguments: [
    ("ada@x.example", "a.da@x.example"), ("ada@x.example", "ada+news@x.example"),
    ("ad.a@x.example", "a.da@x.example"), ("ada+a@x.example", "ada+b@x.example"),
  ])
  func `addresses that a policy may fold are different, and fold to the same`(
    _ first: String, _ second: String
  ) throws {
    var current = try ada()
    current.email = try EmailAddress(first)
    let masked = decision(current, try grace(second)).conflict

    let texts = [masked.current, masked.existing].compactMap(\.email?.canonical)
    #expect(texts.count == 2 && texts[0] != texts[1])
    let folded = texts.map { text in
      text.prefix { $0 != "+" && $0 != "@" }.filter { $0 != "." }
    }
    #expect(folded[0] == folded[1], "\(texts)")
  }

  @Test func `uids keep their order`() throws {
    let (ada, grace) = (try ada(), try grace("grace@example.com"))
    for (current, existing) in [(ada, grace), (grace, ada)] {
      let masked = decision(current, existing).conflict
      #expect((masked.current.id < masked.existing.id) == (current.id < existing.id))
    }
    #expect(decision(grace, ada).conflict.current.id == DecisionMask.current)
  }

  @Test func `an answer names the masked accounts and values`() throws {
    let (ada, grace) = (try ada(), try grace("grace@example.com"))
    let rules = MergeRules(
      fields: [
        .displayName: .value("Ada Lovelace"), .photoURL: .value("of Ada"), .email: .verified,
        .customClaims: .value(["role": "admin", "mail": "ada@home.example"]),
      ], droppedIdentities: [ada.identities[1].key])
    let decision = decision(
      ada, grace, .answer(.merge(into: grace.id, from: ada.id, rules)))
    guard case .answer(.merge(let into, let from, let masked))? = decision.ruling else {
      Issue.record("\(String(describing: decision.ruling))")
      return
    }

    #expect(into == decision.conflict.existing.id && from == decision.conflict.current.id)
    #expect(masked.fields[.email] == .verified)
    #expect(masked.fields[.displayName] == .value("name 1"))
    #expect(masked.fields[.photoURL] == .value(DecisionMask.hidden))
    let claims = decision.conflict.current.customClaims?.members
    #expect(
      masked.fields[.customClaims] == .value(["role": "admin", "mail": claims?["mail"] ?? .null]))
    #expect(masked.droppedIdentities == [decision.conflict.current.identities[1].key])
  }

  @Test func `every answer comes back from JSON`() throws {
    let answers: [PolicyJudgement.Ruling] = [
      .failure("at line 4"), .answer(.refuse(MergeRefusal("no", code: "STAFF", place: "p.lua:3"))),
      .answer(.refuse("no")), .answer(.review("why")), .answer(.require(.secondFactor)),
      .answer(.require(.recentLogin(seconds: 60))), .answer(.require(.approval)),
    ]
    for answer in answers {
      let decision = decision(try ada(), try grace("grace@example.com"), answer)
      let read: PolicyDecision = try JSONValue(text: decision.json).decoded()
      #expect(read == decision)
      #expect(read.ruling == answer)
    }
  }

  @Test func `a new field of conflicts has a line in the log`() throws {
    func names(_ record: Any) -> Set<String> {
      Set(Mirror(reflecting: record).children.compactMap(\.label))
    }
    #expect(names(MergeConflict.blank) == Set(MergeConflict.fields.names))
    #expect(names(MergeProof.blank) == Set(MergeProof.fields.names))
    #expect(names(PolicyJudgement.blank) == Set(PolicyJudgement.fields.names))
    #expect(names(PolicyDecision.blank) == Set(PolicyDecision.fields.names))
  }
}
