import AuthCore
import LuaPlugins
import LuaRuntime

/// The `settings` library: the settings of the project or tenant.
struct SettingsLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var settings = LuaLibrary(name: "settings")
    settings.function("get") { _ in
      [try session.wait { try await $0.settings(of: $1) }.shown.lua]
    }
    settings.function("set", set)
    settings.function("trust", trust)
    try state.set("settings", to: state.library(settings))
  }

  private func set(_ call: LuaCall) throws -> [LuaValue] {
    let table = try call.table(1, "settings")
    let given = SettingsTable(table, in: try session.wait { try await $0.settings(of: $1) })
    try given.refuseUnknown(beside: WriteOptions.names)
    let options = try WriteOptions(merging: table, fields: SettingsTable.names, call, 2)
    let changes = try given.changes(registered: session.graph.providers.ids)
    let changed = try session.change(options) { graph, caller in
      try await graph.changeSettings(by: caller) { settings in
        // All were checked above, and the checks do not depend on stored data.
        for change in changes { try? change.setting.set(change.value, in: &settings) }
      }
    }
    return [.object(LuaObject(type: "receipt", value: changed))]
  }

  /// Sets how far the provider's verification of e-mail addresses is trusted.
  private func trust(_ call: LuaCall) throws -> [LuaValue] {
    let provider = ProviderID(try call.string(1, "providerID"))
    let registered = session.graph.providers.ids
    try KnownProviders.check(provider, registered: registered + [.emailLink])
    let extent = try Self.extent(call)
    let changed = try session.change(WriteOptions(call, 3)) { graph, caller in
      try await graph.changeSettings(by: caller) { $0.trust[provider] = extent }
    }
    return [.object(LuaObject(type: "receipt", value: changed))]
  }

  private static func extent(_ call: LuaCall) throws -> TrustPolicy.Extent {
    if call.typeName(2) == "table" {
      let table = try call.table(2, "extent")
      let domains = table.array.compactMap { value in
        // The domain in the normalised form of addresses.
        value.stringValue.flatMap { try? EmailAddress("person@\($0)").domain }
      }
      guard table.fields.isEmpty, !domains.isEmpty, domains.count == table.array.count else {
        throw AuthError(
          .invalidArgument, "A provider is trusted for a list of domains.", field: "extent",
          remedy: "Write { \"example.com\", \"example.org\" }, or \"never\".")
      }
      return .domains(domains)
    }
    switch try call.string(2, "extent") {
    case "always": return .always
    case "never": return .never
    case let other:
      throw AuthError(
        .invalidArgument, "A provider is trusted \"always\", \"never\" or for a list of domains.",
        field: "extent", remedy: suggestion(for: other, among: ["always", "never"]))
    }
  }
}
