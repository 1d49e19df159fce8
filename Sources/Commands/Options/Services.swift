import AuthCore
import BuiltInProviders
import Foundation

/// What keeps secrets, sends messages and checks codes of authenticator apps, as the options say.
struct Services {
  private let options: StoreOptions
  private let environment = ProcessInfo.processInfo.environment

  init(_ options: StoreOptions) {
    self.options = options
  }

  /// Makes them; throws `invalid-argument` where an option cannot be meant.
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
    // Whoever runs this chose the service, so it may be one of their own.
    return WebhookMessageSender(
      transport: transport, url: place, secret: Secret(secret), privateHosts: [host])
  }

  private func setting(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
