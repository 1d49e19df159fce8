import ArgumentParser
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// A handler of the same HTTP framework that reads a JSON body and writes one: the limit of a server on it.
///
/// It is a process of its own, so that its memory and processor time are told apart.
struct TrivialServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trivial-server", abstract: "The handler that the server is compared with.",
    shouldDisplay: false)

  private struct Body: ResponseCodable {
    var idToken: String
  }

  func run() async throws {
    let router = Router()
    router.post("/echo") { request, context in
      try await request.decode(as: Body.self, context: context)
    }
    let application = Application(
      router: router,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        FileHandle.standardError.write(
          Data("listens on http://127.0.0.1:\(channel.localAddress?.port ?? 0)\n".utf8))
      }, logger: Logger(label: "trivial", factory: { _ in SwiftLogNoOpLogHandler() }))
    try await application.runService()
  }
}
