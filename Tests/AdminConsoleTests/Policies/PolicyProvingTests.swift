import Foundation
import LuaRuntime
import Testing

@testable import AdminConsole

@Suite struct `Proofs of policies at the console` {
  let home: ConsoleHome

  init() throws { home = try ConsoleHome() }

  private static let policies = "\(ConsoleHome.root)/Scripts/policies"

  @Test func `policy.prove prints a table of properties with the cases and the time`() throws {
    let text = try text(of: "policy.prove '\(Self.policies)/keep-oldest.lua'")
    #expect(text.contains(" cases in ") && text.contains(" s; "))
    for property in ["answers every case", "same survivor if swapped", "no merge without proof"] {
      #expect(text.contains(property), "\(text)")
    }
    #expect(text.contains("holds") && !text.contains("FAULT"), "\(text)")
  }

  @Test func `a fault is shown with its smallest case as an example`() throws {
    let file = try home.file(
      "wrong.lua",
      """
      return policy {
        name = "wrong", on = { "credential-already-in-use" },
        decide = function(c)
          if c.provider == "facebook.com" then return true end
          return merge { into = c.current, from = c.existing }
        end,
      }
      """)
    let text = try text(of: "policy.prove '\(file)'")
    #expect(text.contains("FAULT  answers every case, by facebook.com"), "\(text)")
    #expect(text.contains("provider = \"facebook.com\""), "\(text)")
    let values = try home.run(
      """
      local proof = policy.prove '\(file)'
      local first = proof.findings[1]
      return proof.isSafe, first.property, first.isFault, first.pair, proof.policy
      """)
    #expect(
      values == [
        false, "answers every case", true, "by facebook.com", "wrong",
      ])
  }

  @Test func `policy.compare compares two files, or one with the policy in use`() throws {
    let (oldest, current) = (
      "\(Self.policies)/keep-oldest.lua", "\(Self.policies)/keep-current.lua"
    )
    let text = try text(of: "policy.compare('\(oldest)', '\(current)')")
    #expect(text.contains("keeps the existing account"), "\(text)")
    #expect(text.contains("existing created first"), "\(text)")
    let error = try #require(home.failure("policy.compare '\(current)'"))
    #expect(ErrorText(error).line.contains("No policy is in use."))
    try home.run("policy.use '\(oldest)'")
    let values = try home.run(
      """
      local same = policy.compare '\(oldest)'
      local other = policy.compare '\(current)'
      return #same.differences, #other.differences > 0, other.differences[1].after ~= nil
      """)
    #expect(values == [0, true, true])
  }

  private func text(of code: String) throws -> String {
    let values = try home.run("return tostring(\(code))")
    return try #require(values.first?.stringValue)
  }
}
