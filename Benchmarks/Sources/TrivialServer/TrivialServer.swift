import Foundation
import Hummingbird
import Logging
import NIOCore

// The limit of a server on the same HTTP framework: a program with nothing else, whose memory is therefore the minimum.
// `authgraph-bench` starts it.

/// A handler that reads a JSON body and writes one.
@main enum TrivialServer {
  private struct Body: ResponseCodable {
    var idToken: String
  }

  static func main() async throws {
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
