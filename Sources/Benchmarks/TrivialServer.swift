import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// A handler of the same HTTP framework that reads a JSON body and writes one: the limit of what a server on
/// it can reach.
enum TrivialServer {
  private struct Body: ResponseCodable {
    var idToken: String
  }

  /// Runs it for the time of a measurement, which is given its port.
  static func run<Result: Sendable>(
    _ measure: @escaping @Sendable (Int) throws -> Result
  ) async throws -> Result {
    let router = Router()
    router.post("/echo") { request, context in
      try await request.decode(as: Body.self, context: context)
    }
    let quiet = Logger(label: "trivial", factory: { _ in SwiftLogNoOpLogHandler() })
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
      router: router,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: quiet)
    let group = ServiceGroup(services: [application], logger: quiet)
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      var iterator = ports.makeAsyncIterator()
      let number = await iterator.next() ?? 0
      let result = try measure(number)
      await group.triggerGracefulShutdown()
      return result
    }
  }
}
