import AuthCore
import BuiltInProviders
import Foundation
import HTTPClientTransport
import LuaPlugins
import SMTPMessages

/// Checks everything that a server with a configuration needs.
struct HealthCheck: Sendable {
  let configuration: Configuration
  let file: String?
  let findings: [ConfigurationFinding]
  let transport: HTTPClientTransport

  init(
    _ configuration: Configuration, file: String?, findings: [ConfigurationFinding],
    transport: HTTPClientTransport = HTTPClientTransport()
  ) {
    self.configuration = configuration
    self.file = file
    self.findings = findings
    self.transport = transport
  }

  func run() async -> [Diagnosis] {
    var diagnoses = settings()
    let store = openStore(&diagnoses)
    if let store {
      diagnoses += await StoreHealthCheck(store: store, location: configuration.store).run()
      diagnoses += await AccountHealthCheck(
        store: store, projects: configuration.projects.union([configuration.project]).sorted(),
        providers: .builtIn(transport: transport)
      ).run()
      let scopes = await HealthScopes.all(in: store, configuration)
      let providers = ProviderRegistry.builtIn(transport: transport).adding(
        await usablePlugins(store))
      diagnoses += await EventAddressCheck(
        store: store, scopes: scopes, providers: providers, publicURL: configuration.publicURL ?? ""
      ).run()
      diagnoses += await SweepHealthCheck(
        store: store, projects: configuration.projects.union([configuration.project]).sorted()
      ).run()
      diagnoses += await KeyHealthCheck(
        store: store, secrets: configuration.sealing, configuration: configuration
      ).run()
      diagnoses += await MigrationHealthCheck(
        store: store, scopes: scopes, providers: providers
      ).run()
    }
    diagnoses += await ServerHealthCheck(transport: transport, configuration: configuration).run()
    diagnoses += await ClockHealthCheck(
      store: store, transport: transport, configuration: configuration
    ).run()
    diagnoses += plugins()
    diagnoses += await messages()
    diagnoses += CertificateHealthCheck(configuration).run()
    try? await transport.shutdown()
    return diagnoses
  }

  private func settings() -> [Diagnosis] {
    let place = file ?? "no file; options, environment and defaults"
    guard !findings.isEmpty else { return [.ok("configuration", place)] }
    return findings.map { finding in
      finding.severity == .error
        ? .wrong("configuration", finding.text) : .warning("configuration", finding.text)
    }
  }

  private func openStore(_ diagnoses: inout [Diagnosis]) -> (any AccountStore)? {
    switch configuration.store {
    case .memory:
      diagnoses.append(.ok("store", "In memory. It ends with the server."))
      return nil
    case .sqlite(let path)
    where !FileManager.default.fileExists(atPath: path)
      && !FileManager.default.fileExists(atPath: path + "-wal"):
      diagnoses.append(.warning("store", "\(path) is not there yet; the server will make it."))
      return nil
    case .sqlite, .postgres:
      do {
        return try configuration.store.open()
      } catch {
        diagnoses.append(.wrong("store", error))
        return nil
      }
    }
  }

  private func plugins() -> [Diagnosis] {
    guard !configuration.plugins.isEmpty else { return [.ok("plugins", "No folders of them.")] }
    let set = PluginSet(host: PluginHost(transport: transport))
    set.allowBundles(of: configuration.pluginKeys)
    var diagnoses: [Diagnosis] = []
    for folder in configuration.plugins {
      do throws(AuthError) {
        try set.add(folder: folder)
      } catch {
        diagnoses.append(.wrong("plugins", error))
      }
    }
    set.scan()
    diagnoses += set.refused.map { .wrong("plugins", $0.error) }
    diagnoses += configuration.plugins.flatMap(LockProblem.missing).map {
      .wrong("plugins", $0.error)
    }
    diagnoses += set.plugins.map { plugin in
      .ok("plugins", "\(plugin.declaration.id) \(plugin.source.version)")
    }
    return diagnoses
  }

  /// The plug-ins of the configured folders and of the store; those that cannot be used are reported elsewhere.
  private func usablePlugins(_ store: any AccountStore) async -> PluginSet {
    let set = PluginSet(host: PluginHost(transport: transport))
    set.allowBundles(of: configuration.pluginKeys)
    for folder in configuration.plugins { try? set.add(folder: folder) }
    set.scan()
    try? await set.addShared(of: store)
    return set
  }

  private func messages() async -> [Diagnosis] {
    var diagnoses: [Diagnosis] = []
    if let smtp = configuration.messages.smtp {
      do {
        try await SMTPMessageSender(smtp).check()
        diagnoses.append(.ok("messages", "The mail server \(smtp.host) answers and lets us in."))
      } catch {
        diagnoses.append(.wrong("messages", error))
      }
    }
    if let webhook = configuration.messages.webhook {
      let host = URLText.host(of: webhook.url) ?? ""
      diagnoses.append(.ok("messages", "Phones by way of \(host), which is not asked here."))
    }
    guard diagnoses.isEmpty else { return diagnoses }
    return [
      .warning(
        "messages",
        configuration.messages.log
          ? "They are written to standard error, and reach no recipient."
          : "Messages cannot be sent. Configure messages.smtp or messages.webhook.")
    ]
  }
}
