package import AuthCore
import LuaPlugins
import LuaRuntime
import SessionTokens

/// The `providers` library: the ways to sign in, and their credentials.
struct ProvidersLibrary {
  let session: ConsoleSession

  private var registry: ProviderRegistry { session.graph.providers }

  func install(in state: LuaState) throws {
    defineProvider(in: state)
    defineCredential(in: state)
    var providers = LuaLibrary(name: "providers")
    providers.function("list") { _ in
      let uses = try session.wait { try await $0.providerUses(in: $1) }
      let used = uses.map(\.provider).filter { registry[$0] != nil }
      return [.table(LuaTable(array: Set(try known() + used).sorted().map(object)))]
    }
    let configuring = ProviderConfiguring(session: session)
    providers.function("configure", configuring.configure)
    providers.function("forget", configuring.forget)
    providers.get = { _, name in
      guard registry[ProviderID(name)] == nil else { return .values([object(ProviderID(name))]) }
      try explainAbsence(of: name)
      return nil
    }
    providers.keys = { ((try? known()) ?? registry.ids).map(\.rawValue) }
    providers.keyTypes = "provider"
    providers.items = {
      ((try? known()) ?? registry.ids).map { (.string($0.rawValue), object($0)) }
    }
    try state.set("providers", to: state.library(providers))
  }

  /// Throws the error of a provider whose plug-in was refused or removed.
  private func explainAbsence(of name: String) throws {
    let refused = session.plugins?.refused ?? []
    if let problem = refused.first(where: { problem in
      [".lua", ".plugin"].contains { problem.file.hasSuffix("/\(name)\($0)") }
    })?.error {
      throw problem
    }
    let settings = try session.wait { try await $0.settings(of: $1) }
    guard settings.providers[name] != nil else {
      let near = registry.ids.first { $0.rawValue.hasPrefix("\(name).") }
      guard let id = near else { return }
      throw AuthError(
        .invalidProviderID, "There is no provider \"\(name)\".", field: "providerID",
        remedy: "Write providers[\"\(id)\"].")
    }
    throw AuthError(
      .invalidProviderID, "The provider \(name) is set up here, and its plug-in is not loaded.",
      field: "providerID", remedy: "Look at plugins.list(), and start with --plugins FOLDER.")
  }

  /// Returns every provider, and the members of families that are configured here.
  private func known() throws -> [ProviderID] {
    let settings = try session.wait { try await $0.settings(of: $1) }
    let members = settings.providers.keys.map { ProviderID($0) }.filter { registry[$0] != nil }
    return Set(registry.ids + members).sorted()
  }

  private func object(_ id: ProviderID) -> LuaValue {
    .object(LuaObject(type: "provider", value: id, identity: id.rawValue))
  }

  private func defineProvider(in state: LuaState) {
    let fields = [
      "id", "name", "kind", "credential", "credentials", "hosts", "issuers", "configuration",
      "settings", "rekey", "rekeys", "setUp", "accounts",
    ]
    let rekeying = RekeyLibrary(session: session)
    rekeying.install(in: state)
    var type = LuaObjectType(name: "provider", fields: fields)
    type.get = { call, object, field in
      guard let id = object.value as? ProviderID, let manifest = registry[id]?.manifest else {
        return nil
      }
      switch field {
      case "id": return .values([.string(id.rawValue)])
      case "name": return .values([.string(manifest.name)])
      case "kind": return .values([.string(manifest.kind.rawValue)])
      case "setUp":
        let settings = try session.wait { try await $0.settings(of: $1) }
        return .values([.bool(manifest.isSetUp(as: id, in: settings))])
      case "accounts":
        let count = try session.wait { try await $0.people(linkedWith: id, in: $1) }
        return .values([.integer(Int64(count))])
      case "hosts": return .values([.strings(manifest.hosts)])
      case "issuers": return .values([.strings(manifest.issuers)])
      case "settings": return .values([.table(manifest.luaSettings)])
      case "configuration":
        try session.rights?.check(.reads(.config), of: "provider.configuration")
        return .values([try ProviderConfiguring(session: session).current(id, manifest)])
      case "credentials": return .values([.table(manifest.luaBuilders)])
      case "rekey": return .values([.function(rekeying.planner(id, call.state))])
      case "rekeys": return .values([.function(rekeying.lister(id, call.state))])
      case "credential": return .values([.function(builder(id, call.state))])
      default: return nil
      }
    }
    type.describe = { object in
      guard let id = object.value as? ProviderID, let manifest = registry[id]?.manifest else {
        return "provider"
      }
      return "provider \(id) (\(manifest.name))"
    }
    state.define(type)
  }

  /// Makes the function that creates a credential from a table of fields.
  private func builder(_ id: ProviderID, _ state: LuaState) -> LuaFunction {
    state.function(
      named: "\(id).credential", signed: "providers.credential", receiver: "provider"
    ) { call in
      // `provider.credential { … }` and `provider:credential { … }` mean the same.
      let index = call.typeName(1) == "provider" ? 2 : 1
      let table = try call.optionalTable(index, "fields") ?? LuaTable()
      guard table.array.isEmpty else {
        throw call.argumentError(index, "fields have names: { field = … }")
      }
      var input: [String: String] = [:]
      for name in table.fields.keys {
        if case .bool(let flag) = table[name] {
          input[name] = flag ? "true" : "false"
        } else {
          input[name] = try table.secretText(name)?.reveal()
        }
      }
      let credential = try registry.credential(id, input)
      return [.object(LuaObject(type: "credential", value: credential))]
    }
  }

  private func defineCredential(in state: LuaState) {
    var type = LuaObjectType(name: "credential", fields: ["providerID", "builder"])
    type.get = { _, object, field in
      guard let credential = object.value as? Credential else { return nil }
      switch field {
      case "providerID": return .values([.string(credential.provider.rawValue)])
      case "builder": return .values([.string(credential.builder)])
      default: return nil
      }
    }
    type.describe = { ($0.value as? Credential)?.description ?? "credential" }
    state.define(type)
  }
}

extension ProviderManifest {
  /// The required settings that a configuration lacks.
  package func missingSettings(as id: ProviderID, in settings: ProjectSettings) -> [String] {
    let given = settings.providers[id.rawValue]
    return configuration.filter { field in
      field.isRequired && given?.values[field.name] == nil
        && given?.sealedSecrets[field.name] == nil
    }.map(\.name)
  }

  /// Tells whether a provider has its required settings, and a vendor any settings at all.
  package func isSetUp(as id: ProviderID, in settings: ProjectSettings) -> Bool {
    let isVendor = kind == .oauth2 || kind == .oidc
    let isConfigured = settings.providers[id.rawValue] != nil
    return missingSettings(as: id, in: settings).isEmpty
      && (isConfigured || !isVendor || configuration.isEmpty)
  }

  /// The builders by name, each a list of its fields.
  fileprivate var luaBuilders: LuaTable {
    LuaTable(
      fields: Dictionary(
        builders.map { builder in
          let fields = builder.fields.map { field -> LuaValue in
            [
              "name": .string(field.name), "type": .string(field.type.rawValue),
              "secret": .bool(field.isSecret), "required": .bool(field.isRequired),
              "summary": .string(field.summary),
            ]
          }
          return (builder.name, .table(LuaTable(array: fields)))
        }, uniquingKeysWith: { _, last in last }))
  }
}

extension ProviderManifest {
  /// The settings that can be configured, each with its type and purpose.
  fileprivate var luaSettings: LuaTable {
    LuaTable(
      array: configuration.map { field in
        [
          "name": .string(field.name), "type": .string(field.type.rawValue),
          "required": .bool(field.isRequired), "summary": .string(field.summary),
        ]
      })
  }
}

extension LuaValue {
  static func strings(_ texts: [String]) -> LuaValue {
    .table(LuaTable(array: texts.map { .string($0) }))
  }
}
