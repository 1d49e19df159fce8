import AuthCore
import LuaPlugins
import LuaRuntime
import NIOConcurrencyHelpers
import TerminalOutput

/// A list of proposed merges as a script holds it.
final class MergeListHandle: Sendable {
  static let fields = ["batch", "counts", "plans", "next"]

  /// The ID of the batch as which the list is committed.
  let batch: String
  let scope: Scope
  /// The key after which the next list begins; nil if no group is left.
  let next: String?
  private let stored: NIOLockedValueBox<[MergeProposal]>

  init(_ proposals: [MergeProposal], batch: String, scope: Scope, next: String? = nil) {
    self.batch = batch
    self.scope = scope
    self.next = next
    stored = NIOLockedValueBox(proposals)
  }

  var proposals: [MergeProposal] { stored.withLockedValue { $0 } }

  /// Marks a proposal as merged.
  func finish(_ index: Int, as merge: String) {
    stored.withLockedValue { $0[index] = $0[index].done(as: merge) }
  }

  var counts: [MergeProposal.Decision: Int] {
    stored.withLockedValue { proposals in
      proposals.reduce(into: [:]) { $0[$1.decision, default: 0] += 1 }
    }
  }

  var rows: [MergeListRow] {
    proposals.map { MergeListRow($0, batch: batch, scope: scope) }
  }

  /// The list as data.
  var lua: LuaTable {
    LuaTable(fields: Dictionary(uniqueKeysWithValues: Self.fields.map { ($0, field($0)) }))
  }

  func field(_ name: String) -> LuaValue {
    switch name {
    case "batch": .string(batch)
    case "counts": luaCounts
    case "plans": .table(LuaTable(array: rows.map(\.lua)))
    case "next": .optional(next)
    default: .nil
    }
  }

  private var luaCounts: LuaValue {
    let counts = counts
    return .table(
      LuaTable(
        fields: Dictionary(
          uniqueKeysWithValues: MergeProposal.Decision.allCases.map {
            ($0.rawValue, .integer(Int64(counts[$0] ?? 0)))
          })))
  }
}

extension MergeListRow {
  fileprivate var lua: LuaValue {
    var table = LuaTable()
    for (column, value) in values {
      table[column.rawValue] =
        switch value {
        case .bool(let flag): .bool(flag)
        default: .string(text(column))
        }
    }
    return .table(table)
  }
}

/// A batch as a script holds it.
struct MergeBatchView: Sendable, Drawing {
  static let fields = ["id", "begunAt", "actor", "reason", "planned", "merged"]

  let batch: MergeBatch

  var lua: LuaTable {
    LuaTable(fields: [
      "id": .string(batch.id), "begunAt": .string(batch.begunAt.text),
      "actor": .string(batch.actor), "reason": .optional(batch.reason),
      "planned": .integer(Int64(batch.planned)), "merged": .integer(Int64(batch.merged)),
    ])
  }

  func painted(for profile: TerminalProfile) -> PaintedText {
    PaintedText(
      line: "batch \(batch.id), begun \(batch.begunAt.textWithZone(profile.zone)) by "
        + "\(batch.actor): \(batch.merged) merged, \(batch.planned) of its last list")
  }
}
