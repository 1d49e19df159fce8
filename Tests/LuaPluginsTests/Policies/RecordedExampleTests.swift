import AuthTesting
import LuaRuntime
import Testing

@testable import AuthCore
@testable import LuaPlugins

@Suite struct `Examples of recorded decisions` {
  private static let time = Timestamp(milliseconds: 1_760_000_000_123)

  private func source(_ body: String, examples: String = "") -> PolicySource {
    PolicySource(
      name: "keep.lua",
      text: """
        return policy {
          name = "keep", on = { "credential-already-in-use", "email-already-in-use" },
          decide = function(conflict) \(body) end,
          examples = { \(examples) },
        }
        """)
  }

  /// Two accounts with texts that are hard to quote.
  private func conflict() throws -> MergeConflict {
    let scope = Scope(project: "p")
    var current = Account(id: AccountID("a"), scope: scope, createdAt: Self.time)
    current.email = try EmailAddress("ada@example.com")
    current.emailVerified = true
    current.displayName = "Ada"
    current.customClaims = try CustomClaims([
      "role": "ad\"min\\", "end": ["and", "two"], "weird key": .number(1.5), "n": -3,
    ])
    current.identities = [
      Identity(
        key: IdentityKey(.google, subject: "1"), origin: .credential, linkedAt: Self.time)
    ]
    var existing = Account(
      id: AccountID("b"), scope: scope, createdAt: Self.time.adding(seconds: -86_400))
    existing.isAnonymous = true
    existing.lastSignInAt = Self.time
    return MergeConflict(
      code: .emailAlreadyInUse, current: current, existing: existing, provider: .apple,
      proof: MergeProof(current: true, existing: true), decidedAt: Self.time)
  }

  /// Lets a policy decide, and records its answer.
  private func decision(by source: PolicySource) throws -> PolicyDecision {
    let conflict = try conflict()
    let ruling: PolicyJudgement.Ruling
    do {
      ruling = .answer(try LuaMergePolicy(source).decide(conflict))
    } catch {
      ruling = .failure("\(error)")
    }
    return PolicyDecision(
      masking: JudgedConflict(conflict, [PolicyJudgement(policy: "keep", ruling: ruling)]),
      id: "1m88fkxqkn614j1g", scope: Scope(project: "p"), at: Self.time)
  }

  @Test(arguments: [
    "return merge { into = conflict.existing, from = conflict.current }",
    "return merge { into = conflict.current, from = conflict.existing }",
    """
    return merge { into = conflict.existing, from = conflict.current,
      fields = { displayName = "theirs", customClaims = "union" } }
    """,
    """
    return merge { into = conflict.current, from = conflict.existing,
      fields = { displayName = function(kept) return kept end } }
    """,
    "return refuse \"not \\\"now\\\" \\\\ at 5%\"",
    "return refuse(conflict.current.email .. ' is taken')",
    "return refuse(conflict.current.customClaims['end'][1] .. #conflict.current.customClaims['end'])",
    "return refuse('now it is ' .. time.now())",
    "return conflict.provider == 'apple.com' and refuse 'Apple' or refuse 'others'",
    "return conflict.existing.isAnonymous and refuse 'a visitor' or refuse 'a person'",
  ])
  func `an example passes on the policy that decided, also in its file`(_ body: String) throws {
    let source = source(body)
    let example = try RecordedExample(of: decision(by: source), on: source)

    #expect(example.failure == nil, "\(example.text)")
    let results = try LuaMergePolicy.runExamples(of: self.source(body, examples: example.text))
    #expect(results.map(\.name) == ["event 1m88fkxqkn614j1g"])
    #expect(results.map(\.failure) == [nil], "\(example.text)")
  }

  @Test func `an example fails on a policy that decides otherwise`() throws {
    let decision = try decision(
      by: source("return merge { into = conflict.existing, from = conflict.current }"))
    for body in [
      "return refuse 'no'", "return merge { into = conflict.current, from = conflict.existing }",
    ] {
      let example = try RecordedExample(of: decision, on: source(body))
      #expect(example.failure != nil && example.text.contains("into = \"existing\""), "\(body)")
    }
    #expect(try RecordedExample(of: decision, on: nil).failure == nil)
  }

  @Test func `an example has the conflict, and nothing that identifies a person`() throws {
    let text = try RecordedExample(
      of: decision(by: source("return refuse('of ' .. conflict.current.email)")), on: nil
    ).text

    for part in [
      "code = \"email-already-in-use\"", "provider = \"apple.com\"",
      "now = \"2025-10-09T08:53:20.123Z\"", "email = \"m1@example.com\"", "emailVerified = true",
      "isAnonymous = true",
      "refuse = \"of m1@example.com\"", "[\"end\"]", "role = \"ad\\\"min\\\\\"",
    ] { #expect(text.contains(part), "\(part) in \(text)") }
    #expect(!text.contains("ada") && !text.contains("Ada"), "\(text)")
    #expect(text.hasPrefix("{\n  name = ") && text.hasSuffix("},"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(text)")
  }

  @Test func `a failure is no example`() throws {
    let failed = try decision(by: source("return conflict.nothing.at"))
    #expect(throws: AuthError.self) { try RecordedExample(of: failed, on: nil) }
  }

  @Test(arguments: [
    "", "plain", "it's \"quoted\" \\ so", "two\nlines\r\t\u{0}\u{7F}", "\u{202E}odd\u{200B}",
    "中文 é e\u{301} 👩‍💻", "\u{FEFF}mark", "end", "\u{2028}\u{E000}",
  ])
  func `a text in the notation of Lua is the same text on one line`(_ text: String) throws {
    let state = try LuaState(profile: .policy)
    let value = LuaNotation(["key": .string(text), "list": [.string(text), true, 2]])
    let written = value.text(indent: 0, width: 10)
    #expect(!LuaNotation.quoted(text).contains { $0.isNewline })

    let read = try state.call(state.load("return \(written)", name: "example")).first

    #expect(
      read.flatMap { JSONValue($0) } == ["key": .string(text), "list": [.string(text), true, 2]],
      "\(written)")
  }
}
