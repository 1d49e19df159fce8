import AuthCore
import Foundation
import Testing

@testable import LuaPlugins

/// The policies of this repository.
enum ShippedPolicyFiles {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Scripts/policies")

  static let names: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (files ?? []).filter { $0.hasSuffix(".lua") }.sorted()
  }()

  static func source(_ name: String) throws -> PolicySource {
    try PolicySource(name: name, text: text(name)).bundled { name throws(AuthError) in
      do {
        return try text(name)
      } catch {
        throw AuthError(.invalidPolicy, "There is no file \(name).")
      }
    }
  }

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }
}

@Suite struct `Policies that ship` {
  @Test func `are at least sixteen`() {
    #expect(ShippedPolicyFiles.names.count >= 16)
  }

  @Test(arguments: ShippedPolicyFiles.names)
  func `pass their examples, and are named like their files`(name: String) throws {
    let source = try ShippedPolicyFiles.source(name)
    #expect(try LuaMergePolicy(source).name + ".lua" == name)
    let results = try LuaMergePolicy.runExamples(of: source)
    #expect(results.count >= 3)
    for result in results {
      #expect(result.failure == nil, "\(result.name): \(result.failure ?? "")")
    }
  }

  /// The accounts that a conflict may have: every pair of these is decided.
  private static func accounts(_ id: String) throws -> [Account] {
    func account(_ change: (inout Account) throws -> Void) throws -> Account {
      var account = Account(
        id: AccountID(id), scope: Scope(project: "example"),
        createdAt: Timestamp(milliseconds: id == "current" ? 2 : 1))
      try change(&account)
      return account
    }
    func identity(_ provider: String) -> Identity {
      Identity(
        key: IdentityKey(ProviderID(provider), subject: id), origin: .credential,
        linkedAt: Timestamp(milliseconds: 3))
    }
    return try [
      account { $0.isAnonymous = true }, account { $0.identities = [identity("google.com")] },
      account {
        $0.email = try EmailAddress("\(id)@gmail.com")
        $0.emailVerified = true
        $0.identities = [identity("facebook.com")]
        $0.lastSignInAt = Timestamp(milliseconds: 9)
        $0.customClaims = try CustomClaims(
          text:
            #"{"role":["staff"],"plan":7,"seats":"many","topics":5,"points":"x","blocked":"no"}"#)
      },
      account {
        $0.email = try EmailAddress("ada@corp.example")
        $0.displayName = "ada@corp.example"
        $0.identities = [identity("oidc.work")]
        $0.customClaims = try CustomClaims(
          text: #"{"role":"admin","plan":"pro","seats":2,"topics":["a"],"roles":{"a":1}}"#)
      },
    ]
  }

  @Test(arguments: ShippedPolicyFiles.names)
  func `decide every pair of accounts without an error`(name: String) throws {
    let policy = try LuaMergePolicy(ShippedPolicyFiles.source(name))
    var decided = 0
    for current in try Self.accounts("current") {
      for existing in try Self.accounts("existing") {
        for operation in MergeConflict.Operation.allCases {
          var conflict = MergeConflict(
            code: .credentialAlreadyInUse, current: current, existing: existing,
            provider: .google, proof: MergeProof(current: true, existing: true),
            decidedAt: Timestamp(milliseconds: 100))
          conflict.operation = operation
          for isApproved in [false, true] {
            conflict.isApproved = isApproved
            _ = try policy.decide(conflict)
            decided += 1
          }
        }
      }
    }
    #expect(decided == 4 * 4 * 3 * 2)
  }
}
