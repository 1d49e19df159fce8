import AuthCore
import LuaRuntime

/// `settings`: what an admin decides for the project or tenant.
struct SettingsLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var settings = LuaNamespace(name: "settings")
    settings.function("get") { _ in
      [.table(try session.wait { try await $0.settings(of: $1) }.lua)]
    }
    settings.function("set", set)
    settings.function("trust", trust)
    try state.set("settings", to: state.namespace(settings))
  }

  private static let names = [
    "oneAccountPerEmail", "identitiesPerProvider", "recentLoginSeconds",
    "allowsUnlinkingLastMethod", "totpDriftSteps", "mergeRetentionDays", "eventRetentionDays",
    "sessionRetentionDays", "profileOnSignIn",
  ]

  private func set(_ call: LuaCall) throws -> [LuaValue] {
    let table = try call.table(1, "settings")
    try table.refuseUnknown(Self.names + WriteOptions.names)
    let options = try WriteOptions(merging: table, fields: Self.names, call, 2)
    try table.refuseNoneOf(
      Self.names, "settings.set {} changes nothing.",
      remedy: "Name a setting: \(Self.names.joined(separator: ", ")).")
    let onePerEmail = try table.flag("oneAccountPerEmail")
    let unlinkingLast = try table.flag("allowsUnlinkingLastMethod")
    let recentLogin = try table.count("recentLoginSeconds")
    let drift = try table.number("totpDriftSteps", in: 0...10)
    let retention = try table.number("mergeRetentionDays", in: 0...3650)
    let events = try table.number("eventRetentionDays", in: 0...36_500)
    let least = ProjectSettings.leastEventRetentionDays
    if let events, events != 0, events < least {
      throw AuthError(
        .invalidArgument, "eventRetentionDays is 0, for ever, or at least \(least), not \(events).",
        field: "eventRetentionDays", remedy: "Choose \(least) days or more.")
    }
    let sessions = try table.number("sessionRetentionDays", in: 0...36_500)
    let perProvider = try table.text("identitiesPerProvider").map { name in
      guard let value = ProjectSettings.Cardinality(rawValue: name) else {
        throw AuthError(
          .invalidArgument, "identitiesPerProvider is \"one\" or \"many\", not \"\(name)\".",
          field: "identitiesPerProvider", remedy: suggestion(for: name, among: ["one", "many"]))
      }
      return value
    }
    let profile = try table.text("profileOnSignIn").map { name in
      guard let value = ProfileOnSignIn(rawValue: name) else {
        let names = ProfileOnSignIn.allCases.map(\.rawValue)
        throw AuthError(
          .invalidArgument,
          "profileOnSignIn is \"fill\", \"follow\" or \"keep\", not \"\(name)\".",
          field: "profileOnSignIn", remedy: suggestion(for: name, among: names))
      }
      return value
    }
    let changed = try session.change(options) { graph, caller in
      try await graph.changeSettings(by: caller) { settings in
        settings.oneAccountPerEmail = onePerEmail ?? settings.oneAccountPerEmail
        settings.allowsUnlinkingLastMethod = unlinkingLast ?? settings.allowsUnlinkingLastMethod
        settings.identitiesPerProvider = perProvider ?? settings.identitiesPerProvider
        settings.totpDriftSteps = drift ?? settings.totpDriftSteps
        settings.mergeRetentionDays = retention ?? settings.mergeRetentionDays
        settings.eventRetentionDays = events ?? settings.eventRetentionDays
        settings.sessionRetentionDays = sessions ?? settings.sessionRetentionDays
        settings.profileOnSignIn = profile ?? settings.profileOnSignIn
        settings.recentLoginSeconds = recentLogin.map(Int64.init) ?? settings.recentLoginSeconds
      }
    }
    return [.object(LuaObject(type: "receipt", value: changed))]
  }

  /// Says how far a provider's word on a verified e-mail counts.
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
        // The domain in the form that addresses are compared in.
        value.stringValue.flatMap { try? EmailAddress("someone@\($0)").domain }
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

extension ProjectSettings {
  fileprivate var lua: LuaTable {
    let trust = trust.extents.mapValues { extent -> LuaValue in
      switch extent {
      case .always: "always"
      case .never: "never"
      case .domains(let domains): .strings(domains)
      }
    }
    return LuaTable(fields: [
      "oneAccountPerEmail": .bool(oneAccountPerEmail),
      "identitiesPerProvider": .string(identitiesPerProvider.rawValue),
      "recentLoginSeconds": .integer(recentLoginSeconds),
      "allowsUnlinkingLastMethod": .bool(allowsUnlinkingLastMethod),
      "totpDriftSteps": .integer(Int64(totpDriftSteps)),
      "mergeRetentionDays": .integer(Int64(mergeRetentionDays)),
      "eventRetentionDays": .integer(Int64(eventRetentionDays)),
      "sessionRetentionDays": .integer(Int64(sessionRetentionDays)),
      "profileOnSignIn": .string(profileOnSignIn.rawValue),
      "providers": .strings(providers.keys.sorted()),
      "mergePolicy": .string(mergePolicy?.name ?? "none"), "trust": .table(LuaTable(fields: trust)),
    ])
  }
}
