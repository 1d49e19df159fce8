import AdminConsole
import AuthCore
import SessionTokens

@testable import IdentityToolkitService

/// The consoles of a test's server.
struct TestConsoles: ConsoleServing {
  let consoles = ServedConsoles()

  func answer(_ request: ConsoleRequest) async throws -> ConsoleAnswer {
    let admin = ConsoleAdmin(
      name: request.right.name, scopes: Set(request.right.scopes.compactMap(AdminScope.init)),
      scope: request.scope, client: request.client)
    let outcome = try await consoles.answer(
      ServedConsoles.Operation(rawValue: request.operation.rawValue) ?? .close,
      of: request.session, request.body, by: admin, on: request.graph)
    return switch outcome {
    case .done(let json): .done(json)
    case .gone: .gone
    case .neverBegun: .neverBegun
    }
  }
}
