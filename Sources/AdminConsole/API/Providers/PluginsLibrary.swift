import AuthCore
public import LuaPlugins
import LuaRuntime

/// The `plugins` library: lists the provider plug-ins of this process.
struct PluginsLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var plugins = LuaLibrary(name: "plugins")
    plugins.function("list") { _ in [.table(LuaTable(array: list()))] }
    plugins.function("load") { call in
      guard session.rights == nil else {
        throw AuthError(
          .operationNotAllowed, "A plug-in is loaded from the server's folders alone.",
          remedy: "Put the file into one of them, and write plugins.reload().")
      }
      return [change(try set().load(path: try call.string(1, "file")))]
    }
    plugins.function("reload") { call in
      guard let id = try call.optionalString(1, "providerID") else {
        for news in session.plugins?.scan() ?? [] { session.output.printed(line: news.text) }
        return []
      }
      return [change(try set().reload(ProviderID(id)))]
    }
    try state.set("plugins", to: state.library(plugins))
  }

  private func set() throws(AuthError) -> PluginSet {
    guard let set = session.plugins else {
      throw AuthError(
        .operationNotAllowed, "This session has no plug-ins.",
        remedy: "Start authgraph with --plugins FOLDER.")
    }
    return set
  }

  /// Returns the loaded plug-ins, and the files that could not be used.
  private func list() -> [LuaValue] {
    let refused = session.plugins?.refused ?? []
    let loaded = (session.plugins?.plugins ?? []).map { plugin -> LuaValue in
      var table = LuaTable()
      table["id"] = .string(plugin.id.rawValue)
      table["name"] = .string(plugin.declaration.name)
      table["kind"] = .string(plugin.declaration.kind.rawValue)
      table["version"] = .string(plugin.source.version)
      for (name, text) in plugin.declaration.metadata.texts where name != "icon" {
        table[name] = .string(text)
      }
      table["file"] = .string(plugin.source.path ?? plugin.source.name)
      table["problem"] = .optional(
        refused.first { $0.file == plugin.source.path }?.error.message)
      return .table(table)
    }
    let known = session.plugins?.plugins.compactMap(\.source.path) ?? []
    return loaded
      + refused.filter { !known.contains($0.file) }.map { file, error in
        ["file": .string(file), "problem": .string(error.message)]
      }
  }

  private func change(_ change: PluginChange) -> LuaValue {
    var table = LuaTable()
    table["id"] = .string(change.provider.rawValue)
    table["version"] = .optional(change.to)
    table["previous"] = .optional(change.from)
    return .table(table)
  }
}

extension ConsoleSession {
  /// Loads plug-ins that were written since the last scan, and reports them.
  func pickUpPlugins() {
    // A server looks by itself.
    guard rights == nil else { return }
    for news in plugins?.scan() ?? [] { output.printed(line: news.text) }
  }
}

extension PluginNews {
  /// One line for a person.
  public var text: String {
    switch self {
    case .refused(_, let error):
      "plug-in refused, the loaded version stays: \(error.message) \(error.remedy ?? "")"
    case .loaded(let change):
      switch (change.from, change.to) {
      case (_, nil): "plug-in \(change.provider) is gone"
      case (nil, .some(let version)):
        "plug-in \(change.provider) loaded, version \(version)"
          + (change.former.map { ", in place of \($0)" } ?? "")
      case (.some(let old), .some(let version)):
        "plug-in \(change.provider) replaced: version \(old) by \(version)"
      }
    }
  }
}
