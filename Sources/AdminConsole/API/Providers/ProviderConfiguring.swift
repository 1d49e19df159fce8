import AuthCore
import LuaPlugins
import LuaRuntime

/// The functions `providers.configure` and `.forget`, which set up providers in this project or tenant.
struct ProviderConfiguring {
  let session: ConsoleSession

  /// `configure("google.com", { clientIDs = { … } })`; json.null removes a setting.
  func configure(_ call: LuaCall) throws -> [LuaValue] {
    let id = ProviderID(try call.string(1, "providerID"))
    let fields = try session.graph.providers.provider(id).manifest.configuration
    let table = try call.table(2, "settings")
    let names = fields.map(\.name)
    try table.refuseUnknown(names + WriteOptions.names)
    let options = try WriteOptions(merging: table, fields: names, call, 3)
    var values: [String: JSONValue] = [:]
    var secrets: [String: Secret<String>] = [:]
    for field in fields where table.fields[field.name] != nil {
      if field.type == .secret, let secret = try ConsoleSecret(table[field.name]) {
        secrets[field.name] = try secret.value(for: field.name, of: id)
        continue
      }
      guard field.type != .secret || table[field.name].stringValue?.isEmpty != true else {
        throw AuthError(
          .invalidArgument, "\(field.name) is empty.", field: field.name,
          remedy: "Give the secret, or json.null to remove it.")
      }
      guard let value = JSONValue(table[field.name]) else {
        throw table.wrongType(field.name, "a plain value, or json.null", table[field.name])
      }
      if field.type == .secret, value.stringValue != nil || value == .null {
        secrets[field.name] = Secret(value.stringValue ?? "")
      } else {
        values[field.name] = field.type == .list ? value.listOfOne : value
      }
    }
    let (wanted, sealed) = (values, secrets)
    let receipt = try session.change(options) { graph, caller in
      try await graph.configure(id, values: wanted, secrets: sealed, by: caller)
    }
    return [.object(LuaObject(type: "receipt", value: receipt))]
  }

  /// `forget("oidc.staff", { force = true })`; without force only if no account is linked.
  func forget(_ call: LuaCall) throws -> [LuaValue] {
    let id = ProviderID(try call.string(1, "providerID"))
    let options = try WriteOptions(call, 2, allowing: WriteOptions.namesWithForce)
    let receipt = try session.change(options) { graph, caller in
      try await graph.forgetConfiguration(of: id, force: options.force, by: caller)
    }
    return [.object(LuaObject(type: "receipt", value: receipt))]
  }

  /// Returns the current settings; each secret is an object that represents it and shows nothing.
  func current(_ id: ProviderID, _ manifest: ProviderManifest) throws -> LuaValue {
    let stored = try session.wait { try await $0.configuration(of: id, in: $1) }
    var table = LuaTable()
    for (name, value) in stored?.values ?? [:] { table[name] = value.lua }
    for name in (stored?.sealedSecrets ?? [:]).keys {
      table[name] = ConsoleSecret.kept(KeptSecret(provider: id, field: name)).lua
    }
    return .table(table)
  }
}

extension JSONValue {
  /// The value, or a list of one if it is a text.
  fileprivate var listOfOne: JSONValue {
    if case .string = self { .array([self]) } else { self }
  }
}
