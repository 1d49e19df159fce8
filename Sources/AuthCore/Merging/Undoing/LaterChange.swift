/// A deliberate change of a merged account since the merge, which an undo keeps or loses.
public struct LaterChange: Hashable, Sendable {
  /// The field, or what happened, such as `linked github.com/1`.
  public let name: String
  /// The value right after the merge, in readable form; nil if there was none.
  public let merged: String?
  /// The value now, in readable form; nil if there is none.
  public let now: String?
  /// The field, if its value can be kept.
  public let field: KeptField?
  /// True if the undo keeps the value now.
  public internal(set) var isKept = false

  /// The name of an end of sessions.
  static let endedSessions = "ended sessions"

  var endsSessions: Bool { name == Self.endedSessions }

  init(_ name: String, merged: String? = nil, now: String? = nil, field: KeptField? = nil) {
    self.name = name
    self.merged = merged
    self.now = now
    self.field = field
  }
}

extension LaterChange {
  /// The change as JSON.
  public var json: JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(name), "kept": .bool(isKept), "keepable": .bool(field != nil),
    ]
    members["merged"] = merged.map(JSONValue.string)
    members["now"] = now.map(JSONValue.string)
    return .object(members)
  }
}

extension Account {
  /// Returns the deliberate changes since another state.
  func laterChanges(since other: Account) -> [LaterChange] {
    var changes = MergeField.listed
      .filter { $0 != .lastSignInAt && shown($0) != other.shown($0) }
      .map { field in
        LaterChange(
          field.rawValue, merged: other.shown(field), now: shown(field),
          field: KeptField(rawValue: field.rawValue))
      }
    changes += KeptField.allCases
      .filter {
        MergeField(rawValue: $0.rawValue) == nil && $0.shown(on: self) != $0.shown(on: other)
      }
      .map { field in
        LaterChange(
          field.rawValue, merged: field.shown(on: other), now: field.shown(on: self), field: field)
      }
    let keys = Set(identities.keys)
    let otherKeys = Set(other.identities.keys)
    changes += keys.subtracting(otherKeys).sorted().map { LaterChange("linked \($0)") }
    changes += otherKeys.subtracting(keys).sorted().map { LaterChange("unlinked \($0)") }
    for identity in identities {
      let before = other.identity(identity.key)
      if before != nil, before?.secret?.changedAt != identity.secret?.changedAt {
        changes.append(LaterChange("the secret of \(identity.key)"))
      }
    }
    if details.waitingPassword?.changedAt != other.details.waitingPassword?.changedAt {
      changes.append(LaterChange("the password that waits for an address"))
    }
    if secondFactors != other.secondFactors {
      let texts = [other, self].map { $0.secondFactors.map(\.auditText).joined(separator: ", ") }
      changes.append(LaterChange("second factors", merged: texts[0], now: texts[1]))
    }
    if endsSessions(of: other) { changes.append(LaterChange(LaterChange.endedSessions)) }
    return changes.isEmpty ? [LaterChange("the account's record")] : changes
  }
}
