import AuthCore
import LuaPlugins
import LuaRuntime

/// Commits the pairs of a list, and undoes the merges of a batch, one transaction each.
struct MergeBatchWork {
  let session: ConsoleSession

  /// A pair that stays as it is, with the reason.
  struct Refusal {
    let merge: String?
    let keep: AccountID
    let absorb: AccountID
    let error: AuthError

    var lua: LuaValue {
      [
        "merge": .optional(merge), "keep": .string(keep.rawValue),
        "absorb": .string(absorb.rawValue), "code": .string(error.code.rawValue),
        "message": .string(error.message),
      ]
    }
  }

  /// The codes of errors that concern one pair; any other one ends the work.
  private static let ofOnePair: Set<AuthError.Code> = [
    .planOutdated, .mergeRefused, .undoRefused, .userNotFound, .invalidArgument, .eventNotFound,
    .tooMuchContention, .credentialAlreadyInUse, .emailAlreadyInUse, .phoneNumberAlreadyExists,
    .lastSignInMethod, .invalidPolicy, .blockingFunctionError,
  ]

  /// Merges the pairs of a list that are decided, up to a limit.
  ///
  /// An interrupt or a failure of the store stops between two merges; the error says how to go on.
  func commit(
    _ list: MergeListHandle, limit: Int?, _ options: WriteOptions
  ) throws -> LuaValue {
    let id = list.batch
    var entries = MergeBatchEntries(
      try session.wait { try await $0.mergeBatchEntries(of: id, in: $1) })
    var open: [(index: Int, proposal: MergeProposal)] = []
    for (index, proposal) in list.proposals.enumerated() where proposal.decision == .merge {
      if let done = entries.byAbsorbed[proposal.pair.absorb] {
        if !options.dryRun { list.finish(index, as: done.id) }
      } else {
        open.append((index, proposal))
      }
    }
    var merged = 0
    var refused: [Refusal] = []
    if !open.isEmpty {
      let pairs = open.map(\.proposal.pair)
      if !options.dryRun {
        _ = try session.change(options) { try await $0.plan(pairs, forBatch: id, by: $1) }
      }
      let bar = session.output.progress("Merging", total: min(open.count, limit ?? .max))
      defer { bar.finish() }
      try advising("\(merged) merged; merge.batch \"\(id)\":commit {} goes on.", options) {
        for (index, proposal) in open {
          if merged == limit { break }
          let pair = proposal.pair
          do {
            let last = entries.last(into: [pair.keep, pair.absorb])
            let (receipt, entry) = try session.change(options) { graph, caller in
              try await graph.commit(proposal, ofBatch: id, after: last, by: caller)
            }
            merged += 1
            guard !options.dryRun else { continue }
            entries.add(entry)
            list.finish(index, as: receipt.id)
          } catch let error as AuthError where Self.ofOnePair.contains(error.code) {
            refused.append(
              Refusal(merge: nil, keep: pair.keep, absorb: pair.absorb, error: error))
          }
          bar.update(merged + refused.count)
        }
      }
      if !options.dryRun && merged == open.count {
        // The pairs are needed no more.
        _ = try session.change(options) { try await $0.plan([], forBatch: id, by: $1) }
      }
    }
    let counts = list.counts
    return [
      "batch": .string(id), "merged": .integer(Int64(merged)),
      "refused": .table(LuaTable(array: refused.map(\.lua))),
      "open": .integer(Int64(open.count - merged - refused.count)),
      "look": .integer(Int64(counts[.look] ?? 0)), "leave": .integer(Int64(counts[.leave] ?? 0)),
      "changed": .integer(Int64(counts[.changed] ?? 0)), "dryRun": .bool(options.dryRun),
    ]
  }

  /// Undoes the merges of a batch, the last one first, so that chains come apart.
  ///
  /// A merge that cannot be undone stays, and the work goes on with the others.
  func undo(_ id: String, _ options: WriteOptions) throws -> LuaValue {
    let (_, entries) = try session.wait { try await $0.mergeBatch(id, in: $1) }
    var (undone, already) = (0, 0)
    var refused: [Refusal] = []
    var rehearsed: Set<AccountID> = []
    let bar = session.output.progress("Undoing", total: entries.count)
    defer { bar.finish() }
    try advising("\(undone) undone; merge.batch \"\(id)\":undo {} goes on.", options) {
      for page in entries.reversed().pages(of: 100) {
        let ids = page.map(\.id)
        let records = try session.wait { try await $0.merges(ids, in: $1) }
        let standing = Set(records.filter { $0.undoneBy == nil }.map(\.id))
        for entry in page {
          defer { bar.update(undone + already + refused.count) }
          guard standing.contains(entry.id) else {
            already += 1
            continue
          }
          // A rehearsal leaves the later merges, which would be undone before.
          let isBehind = options.dryRun && rehearsed.contains(entry.keep)
          do {
            if !isBehind {
              let receipt = try session.change(options) { graph, caller in
                try await graph.undoMerge(
                  entry.id, force: options.force, keep: options.keep, by: caller)
              }
              if let refusal = receipt.undo?.refusal { throw refusal }
            }
            undone += 1
            rehearsed.formUnion([entry.keep, entry.absorb])
          } catch let error as AuthError where Self.ofOnePair.contains(error.code) {
            refused.append(
              Refusal(merge: entry.id, keep: entry.keep, absorb: entry.absorb, error: error))
          }
        }
      }
    }
    return [
      "batch": .string(id), "undone": .integer(Int64(undone)),
      "already": .integer(Int64(already)),
      "refused": .table(LuaTable(array: refused.map(\.lua))), "dryRun": .bool(options.dryRun),
    ]
  }

  /// Runs a work; if it is stopped, says how to go on.
  private func advising(
    _ advice: @autoclosure () -> String, _ options: WriteOptions, _ work: () throws -> Void
  ) throws {
    do {
      try work()
    } catch {
      if !options.dryRun { session.output.notice("Stopped: \(advice())") }
      throw error
    }
  }
}

extension Collection {
  /// Returns the elements in pages of a size.
  fileprivate func pages(of size: Int) -> [[Element]] {
    var pages: [[Element]] = []
    for element in self {
      if let last = pages.indices.last, pages[last].count < size {
        pages[last].append(element)
      } else {
        pages.append([element])
      }
    }
    return pages
  }
}
