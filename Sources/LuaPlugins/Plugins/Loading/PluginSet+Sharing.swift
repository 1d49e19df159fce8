import AuthCore
import NIOConcurrencyHelpers

extension PluginSet {
  /// For how many seconds a browser may be away.
  static let longestFlow = AuthorizationGrant.lifetime + 60

  /// Counts what was loaded, replaced and taken out.
  var changes: Int { state.withLockedValue(\.changes) }

  /// What is loaded, and since when its files are as they are.
  var local: [ProviderID: (step: SyncAction.Local, source: PluginSource)] {
    state.withLockedValue { state in
      state.entries.mapValues { entry in
        let source = entry.provider.source
        let stamp = source.path.flatMap { state.stamps[$0] }
        return (
          SyncAction.Local(
            version: source.version, path: source.path, modifiedAt: stamp?.modifiedAt), source
        )
      }
    }
  }

  /// Keeps versions that are replaced from now on as long as browsers may come back to them, from whichever
  /// server they left.
  func keepReplaced() {
    state.withLockedValue { $0.keepsReplaced = Self.longestFlow }
  }

  /// Which of some versions are not there.
  func missing(_ id: ProviderID, _ versions: [String]) -> [String] {
    state.withLockedValue { state in
      versions.filter { state.entries[id]?.has($0) != true }
    }
  }

  /// Adds a version that was replaced before this server knew it; one that cannot be used is left out.
  func addOlder(_ id: ProviderID, _ source: PluginSource, keptUntil: Timestamp) {
    guard let provider = try? LuaPlugin.provider(source, host: host), provider.id == id else {
      return
    }
    state.withLockedValue { state in
      guard state.entries[id]?.has(source.version) == false else { return }
      state.entries[id]?.older.append(Older(provider: provider, keptUntil: keptUntil))
    }
  }

  /// Loads the text of a plug-in in place of a version; nil where another one is there meanwhile.
  ///
  /// Throws `invalid-plugin` where it cannot be used, or is another plug-in's.
  func load(
    _ source: PluginSource, as id: ProviderID, replacing version: String?
  ) throws(AuthError) -> PluginChange? {
    let provider = try LuaPlugin.provider(source, host: host)
    guard provider.id == id else {
      throw .invalidPlugin(source, "the store's text is that of another plug-in than \(id)")
    }
    let change = try load(provider) { $0?.version == version }
    return change.to == source.version ? change : nil
  }

  /// Takes a version of a plug-in out that another server removed; false where another one is there meanwhile.
  ///
  /// Its file is looked at again when it is written again.
  func takeOut(_ id: ProviderID, _ version: String?) -> Bool {
    state.withLockedValue { state in
      guard state.entries[id]?.provider.source.version == version else { return false }
      if state.entries.removeValue(forKey: id) != nil { state.changes += 1 }
      return true
    }
  }
}

extension FileStamp {
  fileprivate var modifiedAt: Timestamp {
    Timestamp(milliseconds: Int64(modified) * 1000 + Int64(nanoseconds / 1_000_000))
  }
}
