/// The effect of undoing a merge: both accounts as they become, what is there now, and each later change.
public struct UndoPreview: Hashable, Sendable {
  /// The merged account as it is; nil if it was deleted.
  public let now: Account?
  /// The survivor as it becomes.
  public let survivor: Account
  /// The absorbed account as it becomes.
  public let absorbed: Account
  /// The deliberate changes since the merge, kept or lost.
  public let changes: [LaterChange]
  /// True if the changes may be lost.
  public let isForced: Bool

  /// The changes that the undo loses.
  public var lost: [LaterChange] { changes.filter { !$0.isKept } }

  /// The refusal that the undo meets; nil if nothing is lost, or the undo is forced.
  public var refusal: AuthError? { isForced ? nil : .undoLoses(lost) }
}

extension UndoPreview {
  init(
    _ verdict: Verdict, of record: MergeRecord, now: Account?, _ changes: [LaterChange],
    isForced: Bool
  ) {
    func account(_ id: AccountID, _ usual: Account) -> Account {
      let written = verdict.changes.inserted + verdict.changes.updated.map(\.new)
      return written.first { $0.id == id } ?? usual
    }
    self.now = now
    self.changes = changes
    self.isForced = isForced
    survivor = account(record.survivor, record.survivorBefore)
    absorbed = account(record.absorbed, record.absorbedBefore)
  }

  /// A row of the comparison: a field, with its value now and on both accounts as they become.
  public struct Row: Hashable, Sendable {
    /// The field.
    public let name: String
    /// The value of the merged account now.
    public let now: String?
    /// The value of the survivor afterwards.
    public let survivor: String?
    /// The value of the absorbed account afterwards.
    public let absorbed: String?
  }

  /// The fields, identities and second factors of which an account has some, side by side.
  public var rows: [Row] {
    let fields = MergeField.listed.map { field in
      row(field.rawValue) { $0.shown(field) }
    }
    let rest = [
      row("identities") { $0.identities.isEmpty ? nil : $0.identityText },
      row("second factors") { account in
        let texts = account.secondFactors.map(\.auditText)
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
      },
    ]
    return (fields + rest).filter { $0.now != nil || $0.survivor != nil || $0.absorbed != nil }
  }

  private func row(_ name: String, _ value: (Account) -> String?) -> Row {
    Row(name: name, now: now.flatMap(value), survivor: value(survivor), absorbed: value(absorbed))
  }

  /// The preview as JSON.
  public var json: JSONValue {
    [
      "survivor": .string(survivor.id.rawValue), "absorbed": .string(absorbed.id.rawValue),
      "rows": .array(rows.map(\.json)), "changes": .array(changes.map(\.json)),
      "needsForce": .bool(refusal != nil),
    ]
  }
}

extension UndoPreview.Row {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = ["name": .string(name)]
    members["now"] = now.map(JSONValue.string)
    members["survivor"] = survivor.map(JSONValue.string)
    members["absorbed"] = absorbed.map(JSONValue.string)
    return .object(members)
  }
}

extension Account {
  fileprivate var identityText: String {
    identities.map(\.key.description).joined(separator: ", ")
  }
}

extension AuthError {
  /// The refusal of an undo that loses changes; nil if it loses none.
  static func undoLoses(_ lost: [LaterChange]) -> AuthError? {
    guard !lost.isEmpty else { return nil }
    let names = lost.map(\.name).joined(separator: ", ")
    let fields = lost.compactMap(\.field).map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    let keeping = fields.isEmpty ? "" : "keep what can be kept with { keep = { \(fields) } }, or "
    return AuthError(
      .undoRefused, "Changes made since would be lost: \(names).",
      remedy: "Look at account:history(), then \(keeping)force it with { force = true }.",
      step: .decision)
  }
}
