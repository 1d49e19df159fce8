import AuthCore
import LuaRuntime

/// Visits the accounts of a rekey page by page, and calls its map on the thread of the script.
struct RekeyWork {
  let session: ConsoleSession
  let state: LuaState
  let rekey: Rekey

  private static let previewSize = 500

  func progress() throws -> RekeyProgress {
    let rekey = rekey
    return try session.wait { try await $0.progress(of: rekey, in: $1) }
  }

  /// Returns the new keys that more than one old key would get.
  ///
  /// A function has to be called for every subject before the first identity is changed.
  func sharedKeys(_ mapping: RekeyMapping) throws -> SharedKeys {
    guard case .function = mapping else { return mapping.sharedKeys }
    var keys = SharedKeys()
    try eachPage(mapping) { _, map in for key in map.values { keys.note(key) } }
    return keys
  }

  func preview(_ mapping: RekeyMapping, _ shared: SharedKeys) throws -> RekeyPreview {
    let rekey = rekey
    var preview = RekeyPreview()
    try eachPage(mapping) { page, map in
      let twice = shared.among(map)
      preview.add(
        try session.wait { graph, scope in
          try await graph.preview(rekey, page, map: map, shared: twice, in: scope)
        })
    }
    return preview
  }

  /// Commits all batches, starting after the last committed one.
  func commit(
    _ mapping: RekeyMapping, sharing shared: SharedKeys, limit: Int, total: Int?,
    _ options: WriteOptions
  ) throws -> (receipt: Receipt?, progress: RekeyProgress) {
    let rekey = rekey
    var progress = try progress().resumed
    var receipt: Receipt?
    let bar = session.output.progress("Rekeying", total: total)
    defer { bar.finish() }
    repeat {
      let before = progress
      let (page, last) = try page(after: before.after, limit)
      let map = try mapping.map(page.keys, rekey, state)
      let twice = shared.among(map)
      let batch = try session.change(options) { graph, caller in
        try await graph.commit(
          rekey, page, last: last, map: map, shared: twice, progress: before, by: caller)
      }
      progress = batch.progress
      receipt = batch.receipt ?? receipt
      bar.update(progress.rekeyed + progress.unmapped + progress.conflicts)
    } while !progress.isComplete
    return (receipt, progress)
  }

  private func eachPage(
    _ mapping: RekeyMapping, _ body: (RekeyPage, RekeyMap) throws -> Void
  ) throws {
    var after: AccountID?
    while true {
      let (page, last) = try page(after: after, Self.previewSize)
      try body(page, try mapping.map(page.keys, rekey, state))
      if page.isLast { return }
      after = last
    }
  }

  private func page(
    after: AccountID?, _ limit: Int
  ) throws -> (page: RekeyPage, last: AccountID?) {
    let rekey = rekey
    return try session.wait { try await $0.page(of: rekey, after: after, limit: limit, in: $1) }
  }
}
