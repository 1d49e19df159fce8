import AuthCore
import BuiltInProviders
import Foundation

/// The services that seal secrets, send messages and check codes of authenticator apps, chosen by the options.
struct Services {
  private let options: StoreOptions
  private let environment = ProcessInfo.processInfo.environment

  init(_ options: StoreOptions) {
    self.options = options
  }

  /// Makes the services; throws `invalid-argument` for an invalid option.
  func make(for location: StoreLocation, _ transport: any HTTPTransport) throws -> GraphServices {
    GraphServices(
      secrets: location.sealing(keyFile: options.keyFile ?? setting("AUTHGRAPH_KEY_FILE")),
      messages: try sender(transport), totp: HMACTOTP())
  }

  private func sender(_ transport: any HTTPTransport) throws -> any MessageSender {
    let place = options.messages ?? setting("AUTHGRAPH_MESSAGES") ?? "log"
    if place == "log" { return LogMessageSender() }
    guard let host = URLText.host(of: place), place.hasPrefix("http") else {
      throw AuthError(
        .invalidArgument, "\"\(place)\" is no place for messages.", field: "messages",
        remedy: "Write log, or the URL of a web service.")
    }
    guard let secret = setting("AUTHGRAPH_MESSAGES_SECRET") else {
      throw AuthError(
        .invalidArgument, "Messages to a web service have to be signed.", field: "messages",
        remedy: "Set AUTHGRAPH_MESSAGES_SECRET to a secret that the service knows too.")
    }
    try SecretPlaceholder.refuse(in: secret, field: "AUTHGRAPH_MESSAGES_SECRET")
    // The person who runs this chose the service, so it may be on a private host.
    return WebhookMessageSender(
      transport: transport, url: place, secret: Secret(secret), privateHosts: [host])
  }

  private func setting(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
