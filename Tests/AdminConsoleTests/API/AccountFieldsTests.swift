import AuthCore
import AuthTesting
import LuaPlugins
import LuaRuntime
import Testing

@testable import AdminConsole

/// Every field of an account, an identity or a second factor is either shown in the console or listed here with a
/// reason.
@Suite struct `Fields of an account in the console` {
  /// The expressions that show a field, or the reason why it is hidden.
  private enum Face {
    case shown([String])
    case hidden(String)

    static func shown(_ expressions: String...) -> Face { .shown(expressions) }
  }

  private static let account: [String: Face] = [
    "id": .shown("a.uid"), "scope": .hidden("A console is of one scope."),
    "revision": .hidden("The store counts it."), "email": .shown("a.email"),
    "emailVerified": .shown("a.emailVerified"), "displayName": .shown("a.displayName"),
    "photoURL": .shown("a.photoURL"), "phoneNumber": .shown("a.phoneNumber"),
    "disabled": .shown("a.disabled"), "isAnonymous": .shown("a.isAnonymous"),
    "customClaims": .shown("a.customClaims.role"),
    "createdAt": .shown("a.metadata.createdAt", "a.metadata.creationTime"),
    "lastSignInAt": .shown("a.metadata.lastSignInAt", "a.metadata.lastSignInTime"),
    "validSince": .hidden("The audit tells when sessions were ended."),
    "ownership": .hidden("A mark of the engine's."),
    "generation": .hidden("A count of the engine's."),
    "identities": .shown("a.providerData[1].providerID"),
    "secondFactors": .shown("a.multiFactor.enrolledFactors[1].uid"),
    "details": .hidden("Clients are shown them; nothing is decided by them."),
  ]

  private static let identity: [String: Face] = [
    "key": .shown("i.providerID", "i.uid", "i.issuer"),
    "profile": .shown("i.email", "i.displayName", "i.photoURL", "i.phoneNumber"),
    "emailVerified": .hidden("What it counts is in the account's."),
    "origin": .hidden("The tree says asserted."), "linkedAt": .hidden("The history tells it."),
    "lastSignInAt": .hidden("The account's is shown."), "secret": .hidden("Never shown."),
    "predecessors": .hidden("The rekey tells of them."),
  ]

  private static let factor: [String: Face] = [
    "id": .shown("f.uid"), "kind": .shown("f.factorID", "f.phoneNumber"),
    "displayName": .shown("f.displayName"), "enrolledAt": .shown("f.enrolledAt"),
    "secret": .hidden("Never shown."),
  ]

  @Test func `each is shown, or has its reason`() async throws {
    let home = try ConsoleHome()
    let full = try Account.withEveryField("full", in: home.scope)
    _ = try await home.graph.store.write { try $0.insert(full) }
    try home.run(
      """
      a = accounts.get "full"
      i, f = a.providerData[1], a.multiFactor.enrolledFactors[1]
      """)
    #expect(Set(Self.account.keys) == Set(Account.fields.names))
    #expect(Set(Self.identity.keys) == Set(Identity.fields.names))
    #expect(Set(Self.factor.keys) == Set(SecondFactor.fields.names))

    for (name, face) in Self.account.merging(Self.identity, uniquingKeysWith: Self.both)
      .merging(Self.factor, uniquingKeysWith: Self.both)
    {
      guard case .shown(let expressions) = face else { continue }
      for expression in expressions {
        let value = try home.run("return \(expression)").first
        #expect(value?.isTruthy == true, "\(name): \(expression)")
      }
    }
    #expect(try home.run("return a.email").first?.stringValue == full.email?.text)
    #expect(try home.run("return a.displayName").first?.stringValue == full.displayName)
    #expect(try home.run("return a.photoURL").first?.stringValue == full.photoURL)
    #expect(try home.run("return a.phoneNumber").first?.stringValue == full.phoneNumber?.text)
    let printed = try home.run("return json.encode(a)").first?.stringValue ?? ""
    for secret in ["$scrypt$", "totp:v1"] { #expect(!printed.contains(secret)) }
  }

  /// Combines the expressions of two records' fields of the same name.
  private static func both(_ one: Face, _ other: Face) -> Face {
    switch (one, other) {
    case (.shown(let first), .shown(let second)): .shown(first + second)
    case (.shown, .hidden): one
    default: other
    }
  }
}
