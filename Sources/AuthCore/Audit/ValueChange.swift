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
  /// The account of the value; nil if it is that of the event or the receipt.
  public private(set) var account: AccountID?

  /// Makes a change.
  public init(_ name: String, from: JSONValue?, to: JSONValue?) {
    self.name = name
    self.from = from
    self.to = to
  }

  /// Returns the change as that of another account than the event's.
  func of(_ account: AccountID) -> ValueChange {
    var change = self
    change.account = account
    return change
  }

  /// True if the value is a secret, of which the audit keeps only that it changed.
  public var isSecret: Bool { from == nil && to == nil }

  /// The name, with the account if that is another one.
  public var label: String { (account.map { "account \($0) " } ?? "") + name }

  /// The change in words, such as `email: a@example.com → b@example.com`.
  public var description: String {
    isSecret ? "\(label) changed" : "\(label): \(Self.text(from)) → \(Self.text(to))"
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

  /// The changed values in order of name, those of the event's account first.
  ///
  /// Events of earlier versions have none, apart from changed settings.
  public var changes: [ValueChange] {
    guard case .object(let members) = details else { return [] }
    // Changed settings are members of their own.
    let own = Self.changes(in: members[ValueChange.member]) + Self.changes(in: details)
    guard case .object(let others)? = members[ValueChange.othersMember] else { return own.sorted() }
    let rest = others.sorted { $0.key < $1.key }.flatMap { uid, values in
      Self.changes(in: values).sorted().map { $0.of(AccountID(uid)) }
    }
    return own.sorted() + rest
  }

  private static func changes(in json: JSONValue?) -> [ValueChange] {
    guard case .object(let members)? = json else { return [] }
    return members.compactMap { ValueChange($0.key, $0.value) }
  }

  /// The details without the changed values and the names of the changed fields.
  public var detailsBesideChanges: [String: JSONValue] {
    guard case .object(let members) = details else { return [:] }
    let shown = changes.filter { $0.account == nil }.map(\.name)
    let fields = shown.isEmpty ? [] : ["fields"]
    let others = Set([ValueChange.member, ValueChange.othersMember] + fields + shown)
    return members.filter { !others.contains($0.key) }
  }

  /// The operation in a few words: its objects, such as the identity that was linked, and the changed values of the
  /// account or else the names of its fields; nil if its name and account say all.
  public var what: String? {
    let objects = texts(Self.objects)
    let changes = changes.filter { change in
      change.account == nil && !objects.contains { change.name == "identity \($0)" }
    }
    let parts = changes.isEmpty ? texts(Self.parts) : []
    var seen: Set<String> = []
    let names = (objects + parts).filter { seen.insert($0).inserted }.joined(separator: ", ")
    let texts = ([names] + changes.map(\.description)).filter { !$0.isEmpty }
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  private func texts(_ names: [String]) -> [String] {
    names.compactMap { details[$0] }.flatMap { $0.stringValue.map { [$0] } ?? $0.texts }
  }

  /// The details that name the objects of an operation.
  private static let objects = [
    "identity", "linked", "identities", "removed", "absorbed", "merge", "operation", "tenant",
  ]
  /// The details that name what was changed of an account, if there are no values.
  private static let parts = ["fields", "kind", "factors"]
}

extension [ValueChange] {
  fileprivate func sorted() -> [ValueChange] { sorted { $0.name < $1.name } }
}
