/// One setting: its storage, comparison, bounds, inheritance and description for admins.
///
/// Stored JSON, the differences in the audit, the console and its help use the lists of these. A new setting takes a
/// property and a line in the list of its record.
package struct Setting<Root>: Sendable {
  /// The name in its table.
  package let name: String
  /// The name with those of the tables around it, such as `signIn.passwordPolicy.minimumLength`.
  package let path: String
  package let about: String
  package let kind: SettingKind
  /// The settings of a table; empty for other kinds.
  package let members: [Setting]
  /// The field that stores it; nil if it is stored as a part of another one.
  let field: Field<Root>?
  /// True if a new tenant inherits it from its project.
  private(set) var isInherited = true
  private let shown: @Sendable (Root) -> JSONValue?
  private let store: @Sendable (inout Root, JSONValue) -> Void
  private let copy: @Sendable (Root, inout Root) -> Void
  private let differences: @Sendable (Root, Root) -> [String: JSONValue]
  private let texts: @Sendable (Root) -> [BoundedText]
  private let count: @Sendable (Root) -> Int
}

/// A text of a setting, with its bounds and its name in error messages.
struct BoundedText {
  let text: String
  let bounds: TextBounds
  let title: String
  let field: String

  var refusal: AuthError { bounds.refusal(title, field: field) }
}

extension Setting {
  /// Returns the value as an admin sees it; nil if there is none, or if it is hidden.
  package func value(in root: Root) -> JSONValue? { shown(root) }

  /// Sets a value, or throws `invalid-argument` naming the setting's path.
  package func set(_ value: JSONValue, in root: inout Root) throws(AuthError) {
    try kind.check(value, path)
    store(&root, value)
  }

  /// Returns the differences between two versions by name, with the values before and after.
  func differences(from old: Root, to new: Root) -> [String: JSONValue] { differences(old, new) }

  /// Copies the value from one record to another.
  func copy(from source: Root, to target: inout Root) { copy(source, &target) }

  func boundedTexts(in root: Root) -> [BoundedText] { texts(root) }

  /// Returns the number of entries; 0 if the setting is not a list.
  func entries(in root: Root) -> Int { count(root) }

  /// The setting itself, or all settings of a table at any depth.
  package var leaves: [Setting] { members.isEmpty ? [self] : members.flatMap(\.leaves) }

  /// The same setting, which a new tenant does not inherit.
  var notInherited: Setting {
    var setting = self
    setting.isInherited = false
    return setting
  }

  /// Returns the same setting for a record that contains this one's.
  fileprivate func inside<Outer>(
    _ table: String, _ way: FieldPath<Outer, Root>
  ) -> Setting<Outer> {
    Setting<Outer>(
      name: name, path: "\(table).\(path)", about: about, kind: kind,
      members: members.map { $0.inside(table, way) }, field: nil, isInherited: isInherited,
      shown: { shown($0[keyPath: way]) }, store: { store(&$0[keyPath: way], $1) },
      copy: { copy($0[keyPath: way], &$1[keyPath: way]) },
      differences: { old, new in
        let inner = differences(old[keyPath: way], new[keyPath: way])
        return Dictionary(uniqueKeysWithValues: inner.map { ("\(table).\($0.key)", $0.value) })
      },
      texts: { texts($0[keyPath: way]) }, count: { count($0[keyPath: way]) })
  }
}

/// The kinds of settings, as lists name them.
extension Setting {
  typealias Path<Value> = FieldPath<Root, Value>

  static func flag(_ name: StaticString, _ path: Path<Bool>, _ about: String) -> Setting {
    one(
      name, path, as: .flag, about, field: Field(later: name, path), show: { .bool($0) },
      read: { $0 == .bool(true) })
  }

  /// Makes a whole number of a unit; `zero` is the special meaning of 0, if any, and `least` the minimum apart from 0.
  static func number<Value: FixedWidthInteger & FieldValue>(
    _ name: StaticString, _ path: Path<Value>, in bounds: ClosedRange<Int64>, of unit: String,
    zero: String? = nil, least: Int64 = 0, _ about: String
  ) -> Setting {
    one(
      name, path, as: .number(SettingRange(bounds: bounds, unit: unit, zero: zero, least: least)),
      about, field: Field(later: name, path), show: { .integer(Int64($0)) },
      read: { Value(clamping: $0.whole ?? 0) })
  }

  static func choice<Value: CaseIterable & RawRepresentable<String> & FieldValue>(
    _ name: StaticString, _ path: Path<Value>, _ about: String
  ) -> Setting {
    one(
      name, path, as: .choice(Value.allCases.map(\.rawValue)), about,
      field: Field(later: name, path),
      show: { .string($0.rawValue) }, read: { $0.stringValue.flatMap(Value.init(rawValue:)) })
  }

  /// Makes an optional text.
  static func text(
    _ name: StaticString, _ path: Path<String?>, in bounds: TextBounds, title: String,
    _ about: String
  ) -> Setting {
    one(
      name, path, as: .text, about, field: Field(name, path), show: { $0.map(JSONValue.string) },
      read: { .some($0.stringValue) }, bounds: (bounds, title))
  }

  /// Makes a URL in a dictionary that the record stores as a whole.
  static func url(_ name: StaticString, _ path: Path<String?>, _ about: String) -> Setting {
    one(
      name, path, as: .url, about, field: nil, show: { $0.map(JSONValue.string) },
      read: { .some($0.stringValue) })
  }

  static func domains(_ name: StaticString, _ path: Path<[String]>, _ about: String) -> Setting {
    one(
      name, path, as: .domains, about, field: Field(later: name, path),
      show: { .array($0.map(JSONValue.string)) }, read: \.texts, bounds: (.domain, "A domain"))
  }

  static func providers(
    _ name: StaticString, _ path: Path<Set<ProviderID>>, _ about: String
  ) -> Setting {
    one(
      name, path, as: .providers, about, field: Field(later: name, path),
      show: { .array($0.sorted().map { .string($0.rawValue) }) },
      read: { Set($0.texts.map { ProviderID($0) }) }, bounds: (.providerID, "A provider's ID"))
  }

  /// Makes a table of a record's settings.
  static func table<Inner: SettingRecord>(
    _ name: StaticString, _ path: Path<Inner>, _ about: String
  ) -> Setting {
    let members = Inner.settings.map { $0.inside(name.description, path) }
    return Setting(
      name: name.description, path: name.description, about: about, kind: .table, members: members,
      field: Field(later: name, path), shown: { .object(members.values(in: $0)) },
      store: { _, _ in }, copy: { $1[keyPath: path] = $0[keyPath: path] },
      differences: { members.differences(from: $0, to: $1) }, texts: { _ in [] }, count: { _ in 0 })
  }

  /// Makes a setting with a function of its own, or one for the engine alone: ``SettingKind/elsewhere(use:)`` or
  /// ``SettingKind/kept``.
  static func special<Value>(
    _ field: Field<Root>, _ path: Path<Value>, as kind: SettingKind, _ about: String = "",
    shown: (@Sendable (Value) -> JSONValue?)? = nil,
    differences: (@Sendable (Value, Value) -> [String: JSONValue])? = nil,
    texts: (@Sendable (Value) -> [BoundedText])? = nil, count: (@Sendable (Value) -> Int)? = nil
  ) -> Setting {
    Setting(
      name: field.name, path: field.name, about: about, kind: kind, members: [], field: field,
      shown: { shown?($0[keyPath: path]) }, store: { _, _ in },
      copy: { $1[keyPath: path] = $0[keyPath: path] },
      differences: { differences?($0[keyPath: path], $1[keyPath: path]) ?? [:] },
      texts: { texts?($0[keyPath: path]) ?? [] }, count: { count?($0[keyPath: path]) ?? 0 })
  }

  private static func one<Value>(
    _ name: StaticString, _ path: Path<Value>, as kind: SettingKind, _ about: String,
    field: Field<Root>?, show: @escaping @Sendable (Value) -> JSONValue?,
    read: @escaping @Sendable (JSONValue) -> Value?, bounds: (TextBounds, title: String)? = nil
  ) -> Setting {
    let name = name.description
    return Setting(
      name: name, path: name, about: about, kind: kind, members: [], field: field,
      shown: { show($0[keyPath: path]) },
      store: { root, value in
        if let value = read(value) { root[keyPath: path] = value }
      },
      copy: { $1[keyPath: path] = $0[keyPath: path] },
      differences: { old, new in
        SettingChange.named(
          name, from: show(old[keyPath: path])?.plainText, to: show(new[keyPath: path])?.plainText)
      },
      texts: { root in
        guard let (bounds, title) = bounds, let value = show(root[keyPath: path]) else { return [] }
        return (value.stringValue.map { [$0] } ?? value.texts).map {
          BoundedText(text: $0, bounds: bounds, title: title, field: name)
        }
      },
      count: { show($0[keyPath: path])?.texts.count ?? 0 })
  }
}

/// A changed setting in the audit.
enum SettingChange {
  /// Returns the change of a text; empty if it is the same.
  static func named(_ name: String, from old: String?, to new: String?) -> [String: JSONValue] {
    old == new ? [:] : [name: ["from": .optional(old), "to": .optional(new)]]
  }
}

extension JSONValue {
  /// The value of a setting in the audit.
  fileprivate var plainText: String {
    switch self {
    case .string(let text): text
    case .array: texts.joined(separator: ", ")
    default: text
    }
  }
}

/// A record with a list of its settings.
package protocol SettingRecord: FieldRecord {
  /// The settings in the order in which an admin reads them.
  static var settings: [Setting<Self>] { get }
}

extension Sequence {
  /// Returns the values that an admin sees, by name.
  package func values<Root>(in root: Root) -> [String: JSONValue]
  where Element == Setting<Root> {
    reduce(into: [:]) { $0[$1.name] = $1.value(in: root) }
  }

  /// Returns the differences between two versions of the settings.
  func differences<Root>(from old: Root, to new: Root) -> [String: JSONValue]
  where Element == Setting<Root> {
    reduce(into: [:]) { all, setting in
      all.merge(setting.differences(from: old, to: new)) { first, _ in first }
    }
  }
}
