import AuthCore
import FakeVendors
import Testing

@Suite struct HostileBehaviorTests {
  @Test func `every behaviour has a short name of its own and a sentence`() throws {
    let all = HostileBehavior.all

    #expect(
      all.count == HostileToken.allCases.count + VendorLie.allCases.count
        + HostileTransport.allCases.count)
    #expect(Set(all.map(\.name)).count == all.count)
    for behavior in all {
      #expect(behavior.name.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(behavior.name)")
      #expect(behavior.sentence.wholeMatch(of: /[A-Z].*\./) != nil, "\(behavior.sentence)")
      #expect(try HostileBehavior(behavior.name) == behavior)
    }
  }

  @Test func `a fault on the wire can be confined to a path`() throws {
    let behavior = try HostileBehavior("redirects-to-another-host@/userinfo")

    #expect(behavior.kind == .transport(.redirectToAnotherHost))
    #expect(behavior.path == "/userinfo")
    #expect(behavior.description == "redirects-to-another-host@/userinfo")
  }

  @Test(arguments: [
    ("algoritm-none", "algorithm-none"), ("", "--list-hostile"), ("expired@/token", "Leave @"),
    ("answers-500@userinfo", "@/userinfo"), ("answers-500@", "@/userinfo"),
    ("nothing-like-any-of-them", "--list-hostile"),
  ])
  func `an unknown name is refused with valid ones`(
    _ name: String, _ words: String
  ) throws {
    let error = try #require(throws: AuthError.self) { try HostileBehavior(name) }

    #expect(error.code == .invalidArgument)
    #expect(error.field == "hostile")
    #expect("\(error)".contains(words), "\(error)")
  }

  @Test(arguments: [
    ["expired", "wrong-issuer"], ["answers-500", "never-answers"],
    ["answers-500@/keys", "answers-429@/keys"],
    ["response-state-missing", "response-state-wrong"],
  ])
  func `two behaviours that hide each other are refused`(_ names: [String]) throws {
    let error = try #require(throws: AuthError.self) { try HostileSet(names: names) }

    #expect(error.field == "hostile")
    #expect(names.allSatisfy { error.message.contains($0) })
  }

  @Test func `behaviours of different things go together, each once`() throws {
    let names = ["expired", "answers-500@/keys", "answers-500", "omits-id-token"]

    #expect(try HostileSet(names: names + ["expired"]).names == names)
  }
}
