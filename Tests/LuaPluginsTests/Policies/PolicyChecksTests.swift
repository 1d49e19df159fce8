import AuthCore
import LuaPlugins
import Testing

@Suite struct `The checks of a policy before its use` {
  private func findings(_ examples: String, more: String = "") throws -> PolicyFindings {
    try PolicyChecks.findings(
      in: PolicyBench.source(
        "return merge { into = conflict.current, from = conflict.existing }",
        more: "\(more) examples = { \(examples) },"))
  }

  @Test func `count the examples`() throws {
    let example = "{ expect = { into = 'current' } }"
    let passed = try findings("\(example), \(example)")
    #expect(passed.evidence == PolicyEvidence(examplesPassed: 2, coverage: 1))
    #expect(passed.refusals.isEmpty && passed.notices.isEmpty)
    #expect(passed.refusal(force: false, reason: nil) == nil)
  }

  @Test func `refuse a policy whose example fails, unless it is forced with a reason`() throws {
    let failed = try findings(
      "{ name = 'right', expect = { into = 'current' } }, "
        + "{ name = 'wrong', expect = { into = 'existing' } }")
    #expect(failed.evidence == PolicyEvidence(examplesPassed: 1, examplesFailed: 1, coverage: 1))
    let refusal = try #require(failed.refusal(force: false, reason: "ticket 7"))
    #expect(refusal.code == .invalidPolicy && refusal.message.contains("\"wrong\""))
    for reason in [nil, "", "  "] {
      #expect(failed.refusal(force: true, reason: reason)?.field == "reason")
    }
    #expect(failed.refusal(force: true, reason: "ticket 7") == nil)
  }

  @Test func `refuse a policy that answers unproven conflicts unseen`() throws {
    let unseen = try findings("{ expect = { into = 'current' } }", more: "unproven = true,")
    #expect(unseen.notices.isEmpty && unseen.refusals.count == 1)
    #expect(unseen.refusals.first?.message.contains("conflict.proof") == true)
  }

  @Test func `tell what the examples do not reach`() throws {
    let partly = try PolicyChecks.findings(
      in: PolicyBench.source(
        "if conflict.current.disabled then return refuse 'no' end "
          + "return merge { into = conflict.current, from = conflict.existing }",
        more: "examples = { { expect = { into = 'current' } } },"))
    #expect(partly.refusals.isEmpty && (partly.evidence.coverage ?? 1) < 1)
    #expect(partly.notices.first?.contains("never true") == true, "\(partly.notices)")
  }

  @Test func `name the line of a file that does not compile`() {
    let error = #expect(throws: AuthError.self) {
      try PolicyChecks.findings(in: PolicySource(name: "x.lua", text: "return policy {\n  name = "))
    }
    #expect(error?.code == .invalidPolicy && error?.message.contains("x.lua:2") == true)
  }

  @Test func `the digest of a version is the SHA-256 of its text`() {
    let compiler = LuaPolicyCompiler()
    let digest = compiler.digest(of: PolicySource(name: "a.lua", text: "abc"))
    #expect(digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(compiler.digest(of: PolicySource(name: "b.lua", text: "abc")) == digest)
  }
}
