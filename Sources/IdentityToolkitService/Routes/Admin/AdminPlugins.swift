import AuthCore
import IdentityToolkit
import SessionTokens
import LuaPlugins

extension AdminOperation {
  static let plugins: [AdminOperation] = [
    AdminOperation(
      method: .get, path: "/plugins", id: "listPlugins",
      summary: "The plug-ins of this server, and files that could not be used.", needs: .plugins,
      answer: Schema.object(["plugins": Schema.list(OpenAPI.reference("Plugin"))])
    ) { handler in
      .json(["plugins": .array(handler.services.administration.plugins?.adminJSON ?? [])])
    },
    AdminOperation(
      method: .post, path: "/plugins:reload", id: "reloadPlugins",
      summary:
        "Loads what was written to the folders of plug-ins; a faulty file leaves the old version in use.",
      needs: .plugins,
      body: [Schema.Member("id", Schema.text, "The one provider that is meant; all if not given.")],
      answer: Schema.object([
        "changes": Schema.list(
          Schema.object(["id": Schema.text, "from?": Schema.text, "to?": Schema.text])),
        "plugins": Schema.list(OpenAPI.reference("Plugin")),
      ])
    ) { try await $0.reloadPlugins() },
  ]
}

extension AdminHandler {
  fileprivate func reloadPlugins() async throws -> Answer {
    guard let set = services.administration.plugins else {
      throw AuthError(
        .operationNotAllowed, "This server was started without plug-ins.",
        remedy: "Name their folder in its configuration.")
    }
    var changes: [PluginChange] = []
    if let id = try body.filled("id") {
      changes = [try set.reload(ProviderID(id))]
    } else {
      for case .loaded(let change) in set.scan() { changes.append(change) }
    }
    return .json([
      "changes": .array(changes.filter(\.isChange).map(\.adminJSON)),
      "plugins": .array(set.adminJSON),
    ])
  }
}

extension PluginChange {
  fileprivate var adminJSON: JSONValue {
    var change: [String: JSONValue] = ["id": .string(provider.rawValue)]
    change.put("from", from)
    change.put("to", to)
    return .object(change)
  }
}

extension PluginSet {
  /// The loaded plug-ins, and the files that could not be used.
  fileprivate var adminJSON: [JSONValue] {
    let refused = refused
    let loaded = plugins.map { plugin -> JSONValue in
      var entry: [String: JSONValue] = [
        "id": .string(plugin.id.rawValue), "name": .string(plugin.declaration.name),
        "kind": .string(plugin.declaration.kind.rawValue),
        "version": .string(plugin.source.version),
        "file": .string(plugin.source.path ?? plugin.source.name),
      ]
      for (name, text) in plugin.declaration.metadata.texts { entry[name] = .string(text) }
      entry.put("problem", refused.first { $0.file == plugin.source.path }?.error.message)
      return .object(entry)
    }
    let known = plugins.compactMap(\.source.path)
    return loaded
      + refused.filter { !known.contains($0.file) }.map { file, error in
        ["file": .string(file), "problem": .string(error.message)]
      }
  }
}
