public import AuthCore

extension PluginSet {
  /// Loads the texts of plug-ins that the servers of a store share and that are not loaded here; an unusable text is
  /// left out.
  ///
  /// Changes nothing in the store. Throws the store's errors.
  public func addShared(of store: any AccountStore) async throws {
    let index = try await store.read { try PluginIndex.read($0) }
    for (name, entry) in index.entries {
      let id = ProviderID(name)
      guard let version = entry.version, local[id] == nil else { continue }
      let place = PluginIndex.place(id, version)
      guard let text = try await store.read({ try $0.checkpoint(place, in: .servers) }) else {
        continue
      }
      _ = try? load(PluginSource(name: entry.name, text: text), as: id, replacing: nil)
    }
  }
}
