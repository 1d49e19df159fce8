import AdminConsole
import IdentityToolkitService
import ServiceLifecycle
import SessionTokens

/// The consoles of this server, as its routes see them.
struct RoutedConsoles: ConsoleServing {
  let consoles: ServedConsoles

  func answer(_ request: ConsoleRequest) async throws -> ConsoleAnswer {
    guard let operation = ServedConsoles.Operation(rawValue: request.operation.rawValue) else {
      return .gone
    }
    let admin = ConsoleAdmin(
      name: request.right.name, scopes: Set(request.right.scopes.compactMap(AdminScope.init)),
      scope: request.scope, client: request.client)
    let outcome = try await consoles.answer(
      operation, of: request.session, request.body, by: admin, on: request.graph)
    return switch outcome {
    case .done(let json): .done(json)
    case .gone: .gone
    case .neverBegun: .neverBegun
    }
  }
}

/// Closes consoles that are not used, and all of them when the server ends.
struct ConsoleService: Service {
  let consoles: ServedConsoles

  func run() async throws {
    await cancelWhenGracefulShutdown { await consoles.run() }
  }
}
