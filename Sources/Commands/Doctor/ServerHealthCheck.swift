import AuthCore
import Foundation

/// Asks the server that runs with a configuration if it is ready.
struct ServerHealthCheck {
  let transport: any HTTPTransport
  let configuration: Configuration

  func run() async -> [Diagnosis] {
    guard let address, let answer = await answer(from: address) else { return [] }
    switch (answer.status, answer.json?["reason"]?.stringValue) {
    case (200, _): return [.ok("server", "\(address) is ready.")]
    case (503, "store-file-gone"?):
      return [
        .wrong(
          "server",
          "\(address) has a file of the store open that is not at its path, and takes no writes. Put the file back "
            + "together with its -wal and -shm, or start the server again.")
      ]
    case (503, let reason?):
      return [
        .wrong("server", "\(address) takes no changes now (\(reason)). Its log says more.")
      ]
    case (503, nil): return [.wrong("server", "\(address) is not ready. Its log says why.")]
    // Any other answer comes from a different server.
    default: return []
    }
  }

  /// The address at which the server listens, or its public URL if the certificate is for that name.
  private var address: String? {
    if configuration.tls != nil { return configuration.publicURL }
    guard configuration.port != 0 else { return nil }
    let host = ["0.0.0.0", "::"].contains(configuration.host) ? "127.0.0.1" : configuration.host
    return "http://\(host.contains(":") ? "[\(host)]" : host):\(configuration.port)"
  }

  private func answer(from address: String) async -> HTTPResponse? {
    var request = HTTPRequest(.get, "\(address)/ready")
    request.timeout = .seconds(3)
    request.privateHosts = URLText.host(of: address).map { [$0] } ?? []
    return try? await transport.send(request)
  }
}
