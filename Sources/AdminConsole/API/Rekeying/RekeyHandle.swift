import AuthCore
import LuaPlugins
import LuaRuntime
import NIOConcurrencyHelpers

/// A rekeying plan as a script holds it: the rekey, its map, and a preview.
final class RekeyHandle: Sendable {
  static let fields = [
    "id", "from", "to", "window", "windowEndsAt", "state", "counts", "unmapped", "conflicts",
    "truncated", "progress",
  ]

  let rekey: Rekey
  /// The map; nil if the rekey began elsewhere with a map, because maps are not stored.
  let mapping: RekeyMapping?
  let shared: SharedKeys
  /// The effect of the plan; nil unless it was requested.
  let preview: RekeyPreview?
  private let stored: NIOLockedValueBox<RekeyProgress>

  var progress: RekeyProgress { stored.withLockedValue { $0 } }

  init(
    _ rekey: Rekey, by mapping: RekeyMapping?, sharing shared: SharedKeys = [],
    preview: RekeyPreview? = nil, progress: RekeyProgress
  ) {
    self.rekey = rekey
    self.mapping = mapping
    self.shared = shared
    self.preview = preview
    stored = NIOLockedValueBox(progress)
  }

  func keep(_ progress: RekeyProgress) { stored.withLockedValue { $0 = progress } }

  /// The plan as data.
  var lua: LuaTable {
    let progress = progress
    return LuaTable(fields: [
      "id": .string(rekey.id), "from": .string(rekey.from.description),
      "to": .string(rekey.to.description), "window": .integer(rekey.window),
      "windowEndsAt": .optional(rekey.until?.text), "state": .string(rekey.state.rawValue),
      "counts": preview.map { .table($0.luaCounts) } ?? .nil,
      "unmapped": preview.map { .strings($0.unmapped.map(\.subject)) } ?? .nil,
      "conflicts": preview.map { .table(LuaTable(array: $0.conflicts.map(\.lua))) } ?? .nil,
      "truncated": preview.map { .bool($0.isCut) } ?? .nil,
      "progress": [
        "rekeyed": .integer(Int64(progress.rekeyed)),
        "unmapped": .integer(Int64(progress.unmapped)),
        "conflicts": .integer(Int64(progress.conflicts)), "isComplete": .bool(progress.isComplete),
      ],
    ])
  }
}

/// The effect of a plan: all counts, and the first of the identities that stay unchanged.
struct RekeyPreview: Sendable {
  static let mostListed = 20

  private(set) var mapped = 0
  private(set) var joined = 0
  private(set) var already = 0
  private(set) var unmappedCount = 0
  private(set) var conflictCount = 0
  private(set) var unmapped: [IdentityKey] = []
  private(set) var conflicts: [RekeyConflict] = []

  /// Tells whether `unmapped` or `conflicts` lists only the first entries.
  var isCut: Bool { unmappedCount > unmapped.count || conflictCount > conflicts.count }

  var found: Int { mapped + already + unmappedCount + conflictCount }

  mutating func add(_ outcome: RekeyOutcome) {
    mapped += outcome.rekeyed
    joined += outcome.joined
    already += outcome.already
    unmappedCount += outcome.unmapped.count
    conflictCount += outcome.conflicts.count
    unmapped += outcome.unmapped.prefix(Self.mostListed - unmapped.count)
    conflicts += outcome.conflicts.prefix(Self.mostListed - conflicts.count)
  }

  fileprivate var luaCounts: LuaTable {
    LuaTable(
      fields: [
        "found": found, "mapped": mapped, "joined": joined, "already": already,
        "unmapped": unmappedCount, "conflicts": conflictCount,
      ].mapValues { .integer(Int64($0)) })
  }
}

extension RekeyConflict {
  /// The cause of the conflict, for people.
  var causeText: String {
    switch cause {
    case .ownedBy(let owner): "account \(owner) has it"
    case .sharedSubject: "several old subjects have this new one"
    case .replaced: "a rekey replaced it itself"
    }
  }

  fileprivate var lua: LuaValue {
    [
      "uid": .string(account.rawValue), "subject": .string(key.subject),
      "newSubject": .string(newKey.subject), "cause": .string(causeText),
    ]
  }
}
