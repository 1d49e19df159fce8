import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// A new field of an account, an identity or a second factor has to appear in the admin API, or be excused here.
@Suite struct `Fields of an account over HTTP` {
  /// The members that show a field, or the reason that none does.
  private enum Face {
    case shown([String])
    case hidden(String)

    static func shown(_ members: String...) -> Face { .shown(members) }
  }

  private static let account: [String: Face] = [
    "id": .shown("uid"), "scope": .hidden("The path has it."), "revision": .shown("metadata"),
    "email": .shown("email"), "emailVerified": .shown("emailVerified"),
    "displayName": .shown("displayName"), "photoURL": .shown("photoURL"),
    "phoneNumber": .shown("phoneNumber"), "disabled": .shown("disabled"),
    "isAnonymous": .shown("isAnonymous"), "customClaims": .shown("customClaims"),
    "createdAt": .shown("metadata"), "lastSignInAt": .shown("metadata"),
    "validSince": .hidden("The audit tells when sessions were ended."),
    "ownership": .hidden("A mark of the engine's."),
    "generation": .hidden("A count of the engine's."), "identities": .shown("providerData"),
    "secondFactors": .shown("multiFactor"),
    "details": .hidden("Clients are shown them; nothing is decided by them."),
  ]

  private static let identity: [String: Face] = [
    "key": .shown("providerID", "uid", "issuer"),
    "profile": .shown("email", "displayName", "photoURL", "phoneNumber"),
    "emailVerified": .hidden("What it counts is in the account's."),
    "origin": .hidden("The events tell it."), "linkedAt": .shown("linkedAt"),
    "lastSignInAt": .hidden("The account's is shown."), "secret": .hidden("Never shown."),
    "predecessors": .hidden("The rekey tells of them."),
  ]

  private static let factor: [String: Face] = [
    "id": .shown("uid"), "kind": .shown("factorID", "phoneNumber"),
    "displayName": .shown("displayName"), "enrolledAt": .shown("enrollmentTime"),
    "secret": .hidden("Never shown."),
  ]

  private func expect(_ faces: [String: Face], of names: [String], in shown: JSONValue?) {
    #expect(Set(faces.keys) == Set(names))
    var members: Set<String> = []
    for (name, face) in faces {
      guard case .shown(let expected) = face else { continue }
      for member in expected {
        #expect(shown?[member] != nil && shown?[member] != false, "\(name): \(member)")
        members.insert(member)
      }
    }
    #expect(shown?.names == members)
  }

  @Test func `each is shown, or has its reason`() async throws {
    try await withServer(.production) { home in
      let full = try Account.withEveryField("full", in: home.scope)
      _ = try await home.graph.store.write { try $0.insert(full) }

      let reply = try await home.admin("GET", "\(home.adminRoot)/accounts/full")

      #expect(reply.status == 200, "\(reply.text)")
      expect(Self.account, of: Account.fields.names, in: reply.json)
      expect(Self.identity, of: Identity.fields.names, in: reply.json["providerData"]?.items.first)
      expect(
        Self.factor, of: SecondFactor.fields.names, in: reply.json["multiFactor"]?.items.first)
      #expect(
        reply.json["metadata"]?.names == ["creationTime", "lastSignInTime", "revision"])
      for name in ["displayName", "photoURL", "email", "phoneNumber"] {
        #expect(reply.json[name] == (try JSONValue(text: full.json))[name], "\(name)")
      }
    }
  }
}
