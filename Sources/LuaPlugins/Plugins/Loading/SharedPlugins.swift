public import AuthCore
import NIOConcurrencyHelpers

/// Shares plug-ins between the servers of one store: all servers load a file that changes on one.
///
/// * A file that is written while a server runs is published to the store. Every other server loads its text from
///   there, with or without such a file.
/// * A starting server publishes files that the store does not have, or that were written after the store's text
///   was published. For all others it takes the store's text.
/// * A text that a server cannot use changes nothing there, and is reported once.
/// * Removing a file while its server runs removes the plug-in everywhere if the store's text was published from a
///   file of that path; otherwise the store's text stays. Removing a file while no server runs changes nothing: write
///   it again, and remove it then.
/// * Of two simultaneous changes the later one counts.
/// * A replaced version is kept for as long as a browser that left with it can come back to any server.
///
/// A text that was not loaded from a file is not published. A text from the store runs as if its file were on the
/// server: an account with write access to the store may run plug-ins, within the limits of plug-ins.
public actor SharedPlugins {
  private nonisolated let plugins: PluginSet
  private nonisolated let store: any SharedStore
  private nonisolated let clock: @Sendable () -> Timestamp
  /// Set after the store announced a change.
  private nonisolated let isNew = NIOLockedValueBox(true)

  private var baseline: [ProviderID: SyncAction.Baseline] = [:]
  /// Versions of the store that are unusable here.
  private var refused: [ProviderID: String] = [:]
  private var last: Task<[PluginNews], any Error>?

  /// The interval for noticing changes here or announcements of the store.
  private static let tick = Duration.milliseconds(200)
  /// The interval for reading the store without an announcement or after an error.
  private static let longestSilence = Duration.seconds(10)

  /// Takes the plug-ins of a server and the shared store.
  public init(_ plugins: PluginSet, store: any SharedStore) {
    self.plugins = plugins
    self.store = store
    clock = plugins.host.clock
    plugins.keepReplaced()
  }

  /// Schedules an early read of the store if a change concerns plug-ins.
  public nonisolated func hear(_ change: StoreChange) {
    switch change {
    case .checkpoint(PluginIndex.checkpoint, .servers), .settings(.servers), .anything:
      isNew.withLockedValue { $0 = true }
    case .checkpoint, .settings: break
    }
  }

  /// Exchanges changes, here and in the store, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - tell: takes the news from the store.
  ///   - fail: takes the store's errors; the exchange is repeated later.
  public nonisolated func run(
    _ tell: @Sendable (PluginNews) -> Void, failing fail: @Sendable (any Error) -> Void
  ) async {
    var seen: Int?
    var asked = ContinuousClock.now
    while !Task.isCancelled {
      let changes = plugins.changes
      let wasTold = isNew.withLockedValue { isNew in
        defer { isNew = false }
        return isNew
      }
      if wasTold || changes != seen || ContinuousClock.now - asked > Self.longestSilence {
        seen = changes
        asked = ContinuousClock.now
        do {
          for item in try await exchange() { tell(item) }
        } catch {
          if Task.isCancelled { return }
          fail(error)
          seen = nil
          try? await Task.sleep(for: .seconds(1))
        }
      }
      try? await Task.sleep(for: Self.tick)
    }
  }

  /// Makes this server and the store have the same plug-ins, and returns the changes here.
  ///
  /// Throws the store's errors; the next exchange catches up.
  @discardableResult
  public func exchange() async throws -> [PluginNews] {
    // One after another: each exchange starts from the previous one's result.
    let before = last
    let task = Task {
      _ = try? await before?.value
      return try await reconcile()
    }
    last = task
    return try await task.value
  }

  private func reconcile() async throws -> [PluginNews] {
    var news: [PluginNews] = []
    for _ in 0..<5 {
      let index = try await store.read { try PluginIndex.read($0) }
      let local = plugins.local
      var steps: [ProviderID: SyncAction] = [:]
      for id in Set(local.keys).union(index.entries.keys.map { ProviderID($0) }) {
        let stored = index.entries[id.rawValue]
        let step = SyncAction(local: local[id]?.step, stored: stored, baseline: baseline[id])
        steps[id] = step
        guard step == .nothing else { continue }
        baseline[id] = SyncAction.Baseline(version: stored?.version, path: local[id]?.step.path)
      }
      for (id, step) in steps.sorted(by: { $0.key < $1.key }) where step == .take {
        if let item = try await take(id, index, over: local[id]?.step.version) {
          news.append(item)
        }
      }
      try await takeOlder(index)
      if try await publish(steps, local.mapValues(\.source), over: index) { return news }
    }
    return news
  }

  /// Loads the store's text of a plug-in, or follows its removal.
  ///
  /// A version that was loaded here meanwhile stays, and the next exchange considers it.
  private func take(
    _ id: ProviderID, _ index: PluginIndex, over before: String?
  ) async throws -> PluginNews? {
    guard let entry = index.entries[id.rawValue] else { return nil }
    guard let version = entry.version else {
      guard plugins.takeOut(id, before) else { return nil }
      baseline[id] = SyncAction.Baseline(version: nil, path: nil)
      return .loaded(PluginChange(id, from: before, to: nil))
    }
    guard refused[id] != version else { return nil }
    do {
      let source = try await text(id, version, name: entry.name)
      guard let change = try plugins.load(source, as: id, replacing: before) else { return nil }
      baseline[id] = SyncAction.Baseline(version: version, path: nil)
      refused[id] = nil
      return .loaded(change)
    } catch let error as AuthError where error.code == .invalidPlugin {
      refused[id] = version
      return .refused(file: entry.name, error)
    }
  }

  /// Loads versions that were replaced before this server knew them and to which browsers may come back.
  private func takeOlder(_ index: PluginIndex) async throws {
    let now = clock()
    for (name, entry) in index.entries where entry.version != nil {
      let id = ProviderID(name)
      let needed = entry.older.filter { $0.keptUntil > now }
      let missing = plugins.missing(id, needed.map(\.version))
      for older in needed where missing.contains(older.version) {
        guard let source = try? await text(id, older.version, name: entry.name) else { continue }
        plugins.addOlder(id, source, keptUntil: older.keptUntil)
      }
    }
  }

  private func text(
    _ id: ProviderID, _ version: String, name: String
  ) async throws -> PluginSource {
    let place = PluginIndex.place(id, version)
    let text = try await store.read { try $0.checkpoint(place, in: .servers) }
    let source = PluginSource(name: name, text: text ?? "")
    guard source.version == version else {
      throw AuthError.invalidPlugin(
        source, "the store's text of version \(version) is missing or damaged",
        remedy: "Write the plug-in's file again, at any server.")
    }
    return source
  }

  /// Publishes the changes made here; returns false if another server was faster.
  private func publish(
    _ steps: [ProviderID: SyncAction], _ sources: [ProviderID: PluginSource],
    over seen: PluginIndex
  ) async throws -> Bool {
    let mine = steps.filter { [.publish, .delete, .adopt].contains($0.value) }
    guard !mine.isEmpty else { return true }
    let now = clock()
    let keptUntil = now.adding(seconds: PluginSet.longestFlow)
    let done = try await store.write { writer in
      var index = try PluginIndex.read(writer)
      var done: [ProviderID] = []
      for (id, step) in mine where index.entries[id.rawValue] == seen.entries[id.rawValue] {
        let source = sources[id]
        if step == .adopt {
          index.entries[id.rawValue]?.path = source?.path
        } else {
          let old = seen.entries[id.rawValue]
          try index.publish(
            id, step == .delete ? nil : source,
            path: step == .delete ? old?.path : source?.path, at: now, keptUntil: keptUntil,
            writer)
        }
        done.append(id)
      }
      if !done.isEmpty { try index.save(writer) }
      return done
    }
    for id in done {
      let isGone = steps[id] == .delete
      baseline[id] = SyncAction.Baseline(
        version: isGone ? nil : sources[id]?.version, path: isGone ? nil : sources[id]?.path)
    }
    return done.count == mine.count
  }
}
