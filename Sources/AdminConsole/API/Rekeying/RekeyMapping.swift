import AuthCore
import LuaRuntime

/// The mapping from old subjects to new ones.
enum RekeyMapping: Sendable {
  /// Every subject stays the same.
  case same
  /// Each pair maps one subject.
  case pairs(RekeyPairs)
  /// A script's function maps the old subject.
  case function(LuaFunction)

  /// Reads a table, a function, or the name of a file.
  ///
  /// Without a value, every subject stays the same.
  init(_ value: LuaValue, for rekey: Rekey, of host: any ConsoleHost) throws {
    switch value {
    case .nil: self = .same
    case .function(let function): self = .function(function)
    case .string(let path):
      self = .pairs(try RekeyMapFile(path: path, host: host).pairs(for: rekey))
    case .table(let table): self = .pairs(try RekeyPairs(table, for: rekey))
    default:
      throw AuthError(
        .invalidArgument, "map is a \(value.typeName).", field: "map",
        remedy: "Give { old = \"new\" }, a function of the old subject, or the name of a file.")
    }
  }

  /// The new keys that several old keys share, if they are known without a script.
  var sharedKeys: SharedKeys {
    var keys = SharedKeys()
    if case .pairs(let pairs) = self { for key in pairs.map.values { keys.note(key) } }
    return keys
  }

  /// Returns the new keys of some old ones; those without a new key are omitted.
  func map(_ keys: [IdentityKey], _ rekey: Rekey, _ state: LuaState) throws -> RekeyMap {
    var map: RekeyMap = [:]
    for key in keys {
      switch self {
      case .same: map[key] = rekey.to.key(key.subject)
      case .pairs(let pairs): map[key] = pairs.map[key]
      case .function(let function):
        switch try state.call(function, [.string(key.subject)]).first ?? .nil {
        case .nil: break
        case .string(let subject) where !subject.isEmpty: map[key] = rekey.to.key(subject)
        case let other:
          throw AuthError(
            .invalidArgument,
            "map returned \(other == "" ? "an empty subject" : "a \(other.typeName)") for one subject.",
            field: "map", remedy: "Return the new subject as a text, or nil.")
        }
      }
    }
    return map
  }
}

/// Old and new subjects, pair by pair.
struct RekeyPairs: Sendable {
  private(set) var map: RekeyMap = [:]
  private let rekey: Rekey

  init(for rekey: Rekey) {
    self.rekey = rekey
  }

  fileprivate init(_ table: LuaTable, for rekey: Rekey) throws(AuthError) {
    self.init(for: rekey)
    guard table.array.isEmpty else {
      throw Self.refused("The map has numbers for subjects.", "Write { [\"123\"] = \"456\" }.")
    }
    for (old, value) in table.fields {
      guard let new = value.stringValue else {
        throw Self.refused(
          "The new subject of one entry is a \(value.typeName).", "Write it as a text.")
      }
      try add(old, new, at: "map")
    }
  }

  /// Adds a pair; `place` names its position for errors.
  mutating func add(_ old: String, _ new: String, at place: String) throws(AuthError) {
    guard !old.isEmpty, !new.isEmpty else {
      throw Self.refused(
        "\(place): a subject is empty.", "Leave out a subject that has no new one.")
    }
    let key = rekey.from.key(old)
    let newKey = rekey.to.key(new)
    guard map[key] == nil || map[key] == newKey else {
      throw Self.refused(
        "\(place): this old subject already has another new one.",
        "Keep the one that is right.")
    }
    map[key] = newKey
  }

  static func refused(_ message: String, _ remedy: String) -> AuthError {
    AuthError(.invalidArgument, message, field: "map", remedy: remedy)
  }
}

/// Detects keys that occur more than once, with eight bytes of memory for each key.
///
/// Keys with equal hashes count as duplicates; such an identity is left unchanged and reported.
struct SharedKeys: Sendable, ExpressibleByArrayLiteral {
  private var seen: Set<Int> = []
  private var twice: Set<Int> = []

  init(arrayLiteral keys: IdentityKey...) {
    for key in keys { note(key) }
  }

  mutating func note(_ key: IdentityKey) {
    if !seen.insert(key.hashValue).inserted { twice.insert(key.hashValue) }
  }

  /// Returns the new keys of a map that occurred more than once.
  func among(_ map: RekeyMap) -> Set<IdentityKey> {
    twice.isEmpty ? [] : Set(map.values.filter { twice.contains($0.hashValue) })
  }
}
