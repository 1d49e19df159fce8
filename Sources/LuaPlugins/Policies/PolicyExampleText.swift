package import AuthCore

/// The expectation of an example.
package struct PolicyExpectation {
  /// The account that survives, `current` or `existing`; nil for a refusal.
  package var into: String?
  /// A part of the reason of a refusal; nil for any.
  package var reason: String?

  /// A merge into a side.
  package static func merge(into side: String) -> Self { Self(into: side) }

  /// A refusal, with a part of its reason or any.
  package static func refusal(_ reason: String? = nil) -> Self { Self(reason: reason) }

  fileprivate var notation: LuaNotation {
    guard let into else {
      return .table([("refuse", LuaNotation(reason.map(JSONValue.string) ?? true))])
    }
    return .table([("into", LuaNotation(.string(into)))])
  }
}

extension MergeConflict {
  /// The conflict as an example for a policy's file, in Lua; only what differs from an example without any field.
  package func exampleText(named name: String, expecting expectation: PolicyExpectation) -> String {
    LuaNotation.table(example(named: name, expecting: expectation.notation)).text(indent: 0) + ","
  }

  /// The members of an example: what differs from an example without any field.
  func example(
    named name: String, expecting expectation: LuaNotation
  ) -> [(name: String?, value: LuaNotation)] {
    var members: [(name: String?, value: LuaNotation)] = [("name", LuaNotation(.string(name)))]
    if code != .credentialAlreadyInUse {
      members.append(("code", LuaNotation(.string(code.rawValue))))
    }
    if provider != .google {
      members.append(("provider", LuaNotation(.string(provider.rawValue))))
    }
    members.append(("current", current.example(as: "current", history.current)))
    members.append(("existing", existing.example(as: "existing", history.existing)))
    if !proof.both {
      members.append(
        (
          "proof",
          LuaNotation(["current": .bool(proof.current), "existing": .bool(proof.existing)])
        )
      )
    }
    if operation != .link {
      members.append(("operation", LuaNotation(.string(operation.rawValue))))
    }
    if let credential = credential.example { members.append(("credential", credential)) }
    if let session = session.example(approved: isApproved) { members.append(("session", session)) }
    let merges = history.current + history.existing
    if current.hasRealTimes || existing.hasRealTimes || session.signedInAt?.isReal == true
      || merges.contains(where: \.at.isReal)
    {
      members.append(("now", decidedAt.example))
    }
    members.append(("expect", expectation))
    return members
  }
}

extension ConflictCredential {
  /// Nil if no credential was shown.
  fileprivate var example: LuaNotation? {
    var members: [(name: String?, value: LuaNotation)] = []
    if let subject { members.append(("subject", LuaNotation(.string(subject)))) }
    if let email { members.append(("email", LuaNotation(.string(email)))) }
    if emailVerified { members.append(("emailVerified", LuaNotation(true))) }
    if claims != .null { members.append(("claims", LuaNotation(claims))) }
    return members.isEmpty ? nil : .table(members)
  }
}

extension ConflictSession {
  /// Nil if there is no session.
  fileprivate func example(approved: Bool) -> LuaNotation? {
    var members: [(name: String?, value: LuaNotation)] = []
    if let signedInAt { members.append(("signedInAt", signedInAt.example)) }
    if secondFactor { members.append(("secondFactor", LuaNotation(true))) }
    if approved { members.append(("approved", LuaNotation(true))) }
    return members.isEmpty ? nil : .table(members)
  }
}

extension Timestamp {
  /// True for a date; a small number only orders the accounts.
  var isReal: Bool { milliseconds >= 1_000_000_000 }

  /// A date as text, any other time in milliseconds.
  var example: LuaNotation { LuaNotation(isReal ? .string(text) : .integer(milliseconds)) }
}
