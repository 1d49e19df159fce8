import AuthCore
import NIOConcurrencyHelpers

extension PluginSet {
  /// The longest absence of a browser, in seconds.
  static let longestFlow = AuthorizationGrant.lifetime + 60

  /// The number of plug-ins loaded, replaced and removed.
  var changes: Int { state.withLockedValue(\.changes) }

  /// The loaded plug-ins, each with the time of its newest file.
  var local: [ProviderID: (step: SyncAction.Local, source: PluginSource)] {
    state.withLockedValue { state in
      state.entries.mapValues { entry in
        let source = entry.provider.source
        let stamp = source.path.flatMap { state.stamps[$0] }
        // A module that was written later makes the plug-in newer, too.
        let written = [stamp?.modifiedAt] + source.modulePaths.map { FileStamp($0)?.modifiedAt }
        return (
          SyncAction.Local(
            version: source.version, path: source.path,
            modifiedAt: written.compactMap(\.self).max()), source
        )
      }
    }
  }

  /// Keeps versions that are replaced from now on for as long as browsers of any server may come back to them.
  func keepReplaced() {
    state.withLockedValue { $0.keepsReplaced = Self.longestFlow }
  }

  /// The versions that are not loaded.
  func missing(_ id: ProviderID, _ versions: [String]) -> [String] {
    state.withLockedValue { state in
      versions.filter { state.entries[id]?.has($0) != true }
    }
  }

  /// Adds a version that was replaced before this server knew it; an unusable one is left out.
  func addOlder(_ id: ProviderID, _ source: PluginSource, keptUntil: Timestamp) {
    guard let provider = try? LuaPlugin.provider(source, host: host), provider.id == id else {
      return
    }
    state.withLockedValue { state in
      guard state.entries[id]?.has(source.version) == false else { return }
      state.entries[id]?.older.append(Older(provider: provider, keptUntil: keptUntil))
    }
  }

  /// Loads the text of a plug-in in place of a version; nil if another version is loaded meanwhile.
  ///
  /// Throws `invalid-plugin` if the text is unusable or has another plug-in's ID.
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

  /// Removes a version that another server removed; returns false if another version is loaded meanwhile.
  ///
  /// Its file counts again when it is written again.
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
