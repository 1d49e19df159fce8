/// A changed value in the audit: an account's field, an identity, a second factor or a setting, before and after.
///
/// A secret's values are left out.
public struct ValueChange: Hashable, Sendable, CustomStringConvertible {
  /// The name of the value, such as `email` or `identity google.com/123`.
  public let name: String
  /// The value before; nil if there was none, or if it is secret.
  public let from: JSONValue?
  /// The value after; nil if there is none, or if it is secret.
  public let to: JSONValue?

  /// Makes a change.
  public init(_ name: String, from: JSONValue?, to: JSONValue?) {
    self.name = name
    self.from = from
    self.to = to
  }

  /// True if the value is a secret, of which the audit keeps only that it changed.
  public var isSecret: Bool { from == nil && to == nil }

  /// The change in words, such as `email: a@example.com → b@example.com`.
  public var description: String {
    isSecret ? "\(name) changed" : "\(name): \(Self.text(from)) → \(Self.text(to))"
  }

  private static func text(_ value: JSONValue?) -> String {
    guard let value, value != .null else { return "none" }
    return value.stringValue ?? value.text
  }

  /// The change as the audit keeps it, in the form of changed settings.
  var json: JSONValue {
    isSecret ? ["changed": true] : ["from": from ?? .null, "to": to ?? .null]
  }

  /// Reads a member of an event's details; nil if it is something else.
  init?(_ name: String, _ json: JSONValue) {
    guard case .object(let members) = json else { return nil }
    if members == ["changed": true] {
      self.init(name, from: nil, to: nil)
      return
    }
    guard members.count == 2, let from = members["from"], let to = members["to"] else {
      return nil
    }
    self.init(name, from: from, to: to)
  }
}

extension ValueChange {
  /// The name of the details' member with the changes of the event's account.
  static let member = "changes"
  /// The name of the details' member with the changes of other accounts, by uid.
  static let othersMember = "changesOfOthers"
  /// The number of changes that an event keeps.
  static let most = 32

  /// Returns the changes as a member of an event's details; changes beyond the bound are counted.
  static func details(_ changes: [ValueChange]) -> JSONValue {
    var members: [String: JSONValue] = [:]
    for change in changes.prefix(most) { members[change.name] = change.json }
    if changes.count > most { members["more"] = .integer(Int64(changes.count - most)) }
    return .object(members)
  }
}

extension AuditEvent {
  /// The event without the values of accounts, for a reader who may not read accounts.
  public var withoutValues: AuditEvent {
    guard case .object(var members) = details else { return self }
    let count = members.count
    members[ValueChange.member] = nil
    members[ValueChange.othersMember] = nil
    guard members.count < count else { return self }
    return AuditEvent(
      id: id, sequence: sequence, scope: scope, at: at, actor: actor, reason: reason,
      action: action, accountID: accountID, relatedIDs: relatedIDs, errorCode: errorCode,
      details: .object(members), trace: trace)
  }

  /// The changed values, in order of name; empty for events of earlier versions, apart from settings.
  public var changes: [ValueChange] {
    guard case .object(let members) = details else { return [] }
    var changes: [ValueChange] = []
    if case .object(let own)? = members[ValueChange.member] {
      changes = own.compactMap { ValueChange($0.key, $0.value) }
    }
    // Changed settings are members of their own.
    changes += members.compactMap { ValueChange($0.key, $0.value) }
    return changes.sorted { $0.name < $1.name }
  }

  /// The event in a few words: the changed values, or else the identities or fields that it is about.
  public var summary: String {
    let changes = changes
    if !changes.isEmpty { return changes.map(\.description).joined(separator: "; ") }
    for name in ["identity", "linked", "removed", "moved", "absorbed", "factors", "fields"] {
      guard let value = details[name] else { continue }
      let text = value.stringValue ?? value.texts.joined(separator: ", ")
      if !text.isEmpty { return text }
    }
    return ""
  }
}
