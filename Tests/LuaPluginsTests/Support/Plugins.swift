import AuthCore
import AuthTesting
import LuaPlugins
import Synchronization
import TestSupport

/// A plug-in under test, with its vendor and its log.
struct PluginHome: Sendable {
  let vendor = ScriptedVendor()
  let clock = FixedClock(Timestamp(milliseconds: 1_800_000_000_000))
  let log = PluginLog()
  var limits = PluginLimits()

  var host: PluginHost {
    PluginHost(transport: vendor, clock: { clock.now }, limits: limits) { log.append($0) }
  }

  func provider(_ text: String, name: String = "test.lua") throws -> any LuaProvider {
    try LuaPlugin.provider(PluginSource(name: name, text: text), host: host)
  }

  func context(
    _ provider: any LuaProvider, _ settings: [String: JSONValue] = [:],
    secrets: [String: String] = [:]
  ) -> VerificationContext {
    VerificationContext(
      scope: Scope(project: "test"), purpose: .signIn, now: clock.now,
      settings: ProviderSettings(provider.id, settings, secrets: secrets))
  }

  func verify(
    _ provider: any LuaProvider, _ builder: String, _ fields: [String: String],
    settings: [String: JSONValue] = [:], secrets: [String: String] = [:]
  ) async throws -> VerifiedIdentity {
    let credential = Credential(provider: provider.id, builder: builder, fields: fields)
    return try await provider.verify(credential, context(provider, settings, secrets: secrets))
  }

  /// Verifies with a custom plug-in's credential of one secret `token`.
  func verify(_ body: String, preamble: String = "", declaring: String = "") async throws
    -> VerifiedIdentity
  {
    let text = """
      \(preamble)
      return provider {
        id = "test.example", name = "Test", hosts = { "api.test.example" }, \(declaring)
        credentials = { token = { token = field.secret "the token" } },
        verify = function(credential, http, settings) \(body) end,
      }
      """
    return try await verify(provider(text), "token", ["token": "the-token-of-ada"])
  }
}

/// The lines that plug-ins logged.
final class PluginLog: Sendable {
  private let lines = Mutex<[PluginLogRecord]>([])

  func append(_ record: PluginLogRecord) { lines.withLock { $0.append(record) } }

  var records: [PluginLogRecord] { lines.withLock(\.self) }
  var text: String { records.map { "\($0.place ?? ""): \($0.message)" }.joined(separator: "\n") }
}
