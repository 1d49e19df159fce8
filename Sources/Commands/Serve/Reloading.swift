import AuthCore
import AuthServer
import IdentityToolkitService
import Logging
import LuaPlugins
import ServiceLifecycle

/// Handles signals: ends the server, or applies a changed configuration while requests continue.
struct Reloading: Service {
  let run: ServerRun
  let assembly: ServerAssembly
  let certificate: ServerCertificate?
  let logger: Logger
  let end: ShutdownRequest

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var current = run.configuration
      for await order in run.signals.orders {
        switch order {
        case .reload:
          current = reloaded(current)
        case .end:
          end.ask()
          logger.info("Ending; requests that have begun are finished.")
          return
        }
      }
    }
  }

  /// Applies settings that may change; a configuration with errors changes nothing.
  private func reloaded(_ old: Configuration) -> Configuration {
    let (new, findings) = run.reread()
    for finding in findings {
      logger.log(
        level: finding.severity == .error ? .error : .warning, "\(finding.text)",
        metadata: ["field": "\(finding.field)"])
    }
    guard !findings.contains(where: { $0.severity == .error }) else {
      logger.error("The configuration stays as it was.")
      return old
    }
    do {
      // Both files are valid, or nothing changes.
      if new.tls == old.tls { try certificate?.reload() }
      assembly.sender.replace(by: try new.messages.sender(assembly.transport))
      for folder in new.plugins where !old.plugins.contains(folder) {
        try assembly.plugins.add(folder: folder)
      }
    } catch {
      logger.error("The configuration stays as it was.", metadata: ["error": "\(error)"])
      return old
    }
    for news in assembly.plugins.scan() { news.tell(logger) }
    run.logSettings.current = new.logging
    let kept = new.keepingWhatWaits(of: old)
    assembly.services.live.replace(
      with: kept.settings(
        publicURL: kept.publicURL ?? assembly.services.live.current.publicURL))
    for name in new.settingsThatWait(since: old) {
      logger.warning("\(name) changed. Restart the server to apply it.")
    }
    logger.notice("The configuration was read again.")
    // Settings that could not be applied are compared with the running ones the next time, too.
    return kept
  }
}

extension Configuration {
  /// Returns the settings that differ and cannot change while the server runs.
  func settingsThatWait(since old: Configuration) -> [String] {
    var names: [String] = []
    func compare<Value: Equatable>(_ name: String, _ path: KeyPath<Configuration, Value>) {
      if self[keyPath: path] != old[keyPath: path] { names.append(name) }
    }
    compare("compat", \.mode)
    compare("store", \.store)
    compare("replicas", \.replicas)
    compare("keyFile", \.keyFile)
    compare("project", \.project)
    compare("projectNumber", \.projectNumber)
    compare("listen.host", \.host)
    compare("listen.port", \.port)
    compare("publicURL", \.publicURL)
    compare("tls", \.tls)
    compare("http2", \.offersHTTP2)
    compare("limits", \.limits)
    compare("outbox", \.outbox)
    compare("blockingFunctions", \.functions)
    compare("pluginKeys", \.pluginKeys)
    if !Set(old.plugins).isSubset(of: plugins) { names.append("plugins") }
    return names
  }

  /// Returns this configuration, except for settings that cannot change while the server runs.
  func keepingWhatWaits(of old: Configuration) -> Configuration {
    var kept = old
    kept.messages = messages
    kept.apiKeys = apiKeys
    kept.projects = projects
    kept.rateLimits = rateLimits
    kept.trustedProxies = trustedProxies
    kept.allowedOrigins = allowedOrigins
    kept.metrics = metrics
    kept.singleProjectMode = singleProjectMode
    kept.logging = logging
    kept.plugins = plugins + old.plugins.filter { !plugins.contains($0) }
    return kept
  }
}
