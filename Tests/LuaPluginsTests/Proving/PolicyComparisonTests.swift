import AuthCore
import Testing

@testable import LuaPlugins

@Suite struct `The comparison of two policies` {
  @Test func `finds each kind of difference, with the smallest case`() throws {
    let comparison = try PolicyComparison(
      of: `The proof of a policy`.shipped("keep-oldest.lua"),
      and: `The proof of a policy`.shipped("verified-wins.lua"))
    let other = try #require(
      comparison.differences.first {
        $0.before == "keeps the current account" && $0.after == "keeps the existing account"
      })
    #expect(other.pair == "existing with a verified address")
    #expect(other.example.contains("expect = { into = \"existing\" }"))
    #expect(other.example.contains("emailVerified = true"))
    let photo = comparison.differences.first { $0.after == "the same with other photoURL" }
    #expect(photo?.before.hasPrefix("keeps the ") == true)
    #expect(comparison.cases > 1000)
  }

  @Test func `finds nothing between two files that answer alike`() throws {
    let source = try `The proof of a policy`.shipped("keep-oldest.lua")
    let comparison = try PolicyComparison(
      of: source, and: PolicySource(name: "copy.lua", text: "-- a copy\n" + source.text))
    #expect(comparison.differences.isEmpty, "\(comparison.differences)")
  }

  @Test func `meets the literals of both files`() throws {
    func refusing(_ role: String) -> PolicySource {
      WrongPolicy(
        testDescription: "", property: .total, pair: "",
        body: "if (absorb.customClaims or {}).role == '\(role)' then return refuse 'no' end"
      ).source()
    }
    let comparison = try PolicyComparison(of: refusing("staff"), and: refusing("admin"))
    #expect(
      Set(comparison.differences.map(\.after)).isSuperset(
        of: ["refuses", "keeps the current account"]))
    #expect(comparison.differences.map(\.pair).contains("existing has role = \"admin\""))
    #expect(comparison.differences.map(\.pair).contains("existing has role = \"staff\""))
  }
}
