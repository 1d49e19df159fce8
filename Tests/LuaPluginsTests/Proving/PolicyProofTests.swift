import AuthCore
import Foundation
import Testing

@testable import LuaPlugins

@Suite struct `The proof of a policy` {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func shipped(_ name: String) throws -> PolicySource {
    try PolicySource(policyFile: root.appending(path: "Scripts/policies/\(name)").path)
  }

  static func allShipped() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.path + "/Scripts/policies")
      .filter { $0.hasSuffix(".lua") }.sorted()
  }

  @Test(arguments: WrongPolicy.all)
  func `a wrong policy is refused, with its smallest case`(wrong: WrongPolicy) throws {
    let proof = try PolicyProof(of: wrong.source())
    let faults = proof.faults.filter { $0.property == wrong.property }
    let fault = try #require(
      faults.first { $0.pair == wrong.pair }, "\(proof.findings)")
    // The example can be read, and fails until the policy is correct.
    let results = try LuaMergePolicy.runExamples(of: wrong.source(examples: fault.example))
    #expect(!results.isEmpty)
    for result in results {
      let part = ["an example", "current", "existing", "proof", "expect"].first {
        result.failure?.hasPrefix("\($0) has no ") == true
      }
      #expect(part == nil, "\(fault.example)")
    }
    guard [.total, .symmetric, .proven].contains(wrong.property) else { return }
    #expect(results.contains { !$0.passed }, "\(fault.example)")
  }

  @Test func `an unsafe policy is refused with its smallest case`() throws {
    let wrong = try #require(WrongPolicy.all.first)
    let refusal = try #require(try PolicyProof.refusal(of: wrong.source()))
    #expect(refusal.code == .invalidPolicy)
    #expect(refusal.message.contains("The smallest case: \(wrong.pair)."))
    #expect(refusal.remedy?.contains("policy.prove") == true)
    #expect(try PolicyProof.refusal(of: Self.shipped("old-accounts.lua")) == nil)
  }

  @Test func `every policy that ships is safe`() throws {
    for name in try Self.allShipped() {
      let proof = try PolicyProof(of: Self.shipped(name))
      #expect(proof.faults.isEmpty, "\(name): \(proof.faults)")
      #expect(proof.cases > 1000 && !proof.isCut, "\(name): \(proof.cases)")
      print("\(name): \(proof.cases) cases in \(proof.seconds) s")
    }
  }

  @Test func `a policy that keeps the current account is so by side, which is a remark`() throws {
    let source = try Self.shipped("keep-current.lua")
    let findings = try PolicyProof(of: source).findings.filter { $0.property == .symmetric }
    let remark = try #require(findings.first)
    #expect(findings.count == 1 && !remark.isFault)
    #expect(remark.pair == "two accounts alike")
    #expect(
      remark.example
        == #"{ name = "two accounts alike", current = {}, existing = {}, expect = { into = "current" } },"#
    )
    let text = source.text.replacing("examples = {", with: "examples = {\n\(remark.example)")
    let results = try LuaMergePolicy.runExamples(
      of: PolicySource(name: source.name, text: text))
    #expect(results.first?.name == "two accounts alike")
    #expect(results.allSatisfy { $0.passed })
  }

  @Test func `an answer by side is declared in the file`() throws {
    let body = "if (c.current.customClaims or {}).role == 'admin' then return refuse 'no' end"
    func faults(_ declaration: String) throws -> [PolicyFinding] {
      let policy = WrongPolicy(
        testDescription: "", property: .symmetric, pair: "", declaring: declaration, body: body)
      return try PolicyProof(of: policy.source()).faults
    }
    #expect(try faults("").map(\.property) == [.symmetric])
    #expect(try faults("survivor = \"by side\",").isEmpty)
    let error = try #require(throws: AuthError.self) { try faults("survivor = \"by age\",") }
    #expect(error.message.contains("survivor must be \"by side\""))
  }

  @Test func `an offer that depends on the proof is a remark`() throws {
    let policy = WrongPolicy(
      testDescription: "", property: .proven, pair: "", declaring: "unproven = true,",
      body: "if not c.proof.current then return refuse 'not shown' end")
    let proof = try PolicyProof(of: policy.source())
    let offers = proof.findings.filter { $0.property == .proven }
    #expect(offers.map(\.isFault) == [false])
    #expect(offers.first?.pair == "existing not proven")
    #expect(offers.first?.example.contains("proof = { current = true, existing = false }") == true)
    #expect(proof.faults.isEmpty, "\(proof.faults)")
  }

  @Test func `a search ends early if limits stop the file again and again`() throws {
    let policy = WrongPolicy(
      testDescription: "", property: .total, pair: "", body: "while true do end")
    let proof = try PolicyProof(of: policy.source())
    #expect(proof.isCut && proof.cases < 100)
    #expect(proof.faults.first?.pair == "two accounts alike")
  }

  @Test func `a file that cannot be compiled is an error`() {
    let source = PolicySource(name: "broken.lua", text: "return policy {")
    #expect(throws: AuthError.self) { try PolicyProof(of: source) }
    #expect(throws: AuthError.self) { try PolicyComparison(of: source, and: source) }
  }
}

@Suite struct `The literals of a policy` {
  @Test func `are the claims, providers, domains and spans that it mentions`() {
    let literals = PolicyLiterals(
      """
      local day = 24 * 60 * 60 * 1000
      local rank = { free = 1, pro = 2 }
      -- role == "ignored"
      if claims.role == "admin" or claims.staff then return refuse "no" end
      if (claims.seats or 0) > 3 and rank[claims.plan] > 1 then end
      if provider == "discord.com" or address:match("@corp%.example$") then end
      if time.now() - account.createdAt > 30 * day then end
      """)
    func has(_ name: String, _ value: JSONValue) -> Bool {
      literals.claims.contains(PolicyLiterals.Claim(name: name, value: value))
    }
    #expect(has("role", "admin") && has("staff", true) && has("seats", 1) && has("plan", "pro"))
    #expect(!literals.claims.contains { $0.value == "ignored" || $0.name == "createdAt" })
    #expect(literals.providers == [ProviderID("discord.com")])
    #expect(literals.domains == ["discord.com", "corp.example"])
    #expect(literals.readsTime)
    #expect(literals.spans.contains(86_400_000) && literals.spans.contains(30 * 86_400_000))
  }
}
