import AuthCore
package import IdentityToolkit

/// The result of checking the head of a request.
package enum Admission: Sendable {
  case admitted(AdmittedRequest)
  /// The request is answered already; its body need not be read.
  case refused(Dispatcher.Outcome)
}

/// A request whose operation and caller are known from its head.
///
/// Its body is still to be read.
package struct AdmittedRequest: Sendable {
  package let head: RequestHead
  let match: RouteTable.Match
  let path: RoutePath
  let parameters: [String: String]
  let who: Authentication
  /// The project that the path names; nil if the body may name one.
  let project: String?

  var route: Route { match.route }
  /// The name of the operation, for logs and metrics.
  package var name: String { route.name }
  /// True if the request has an admin's token.
  package var isAdmins: Bool { who.admin != nil }
  /// True for a load balancer's health check, which is answered ahead of all other work.
  package var isProbe: Bool { route.isProbe }

  /// Makes the answer to a body that cannot be read.
  package func refusal(_ error: WireError, _ services: ServerServices) -> Dispatcher.Outcome {
    (name, ServerResponse(error, spread: services.behavior.spreadsJSON))
  }
}

extension Dispatcher {
  /// Checks the head of a request: finds the operation, identifies the caller, and counts the request for its address.
  ///
  /// It waits only if there is a bearer token to look up.
  package func admit(_ head: RequestHead) async -> Admission {
    guard let path = RoutePath(method: head.method, path: head.path),
      let match = table.match(path), match.route.modes.contains(services.mode),
      behavior.takes(path), let access = access(to: match.route)
    else {
      return .refused(("unknown", ServerResponse(WireError.notFound, spread: behavior.spreadsJSON)))
    }
    do {
      return .admitted(try await admit(head, to: match, at: path, for: access))
    } catch {
      return .refused(failure(error, of: match.route, in: head))
    }
  }

  private func admit(
    _ head: RequestHead, to match: RouteTable.Match, at path: RoutePath, for access: Route.Access
  ) async throws -> AdmittedRequest {
    let route = match.route
    let parameters: [String: String]
    let named = path.needsProject ? nil : match.values["project"]
    let who: Authentication
    do {
      parameters = try head.parameters
      who = try await Authentication(
        head, parameters, for: access, named: named, services)
    } catch {
      // Guesses at keys and tokens count as well.
      try limits.takeRequest(from: head.peer, at: services.clock())
      throw error
    }
    if route.needsGenuineAdmin, isPublic, services.mode == .emulator {
      throw WireError.publicEmulator
    }
    if let admin = who.admin {
      try admin.check(for: route)
    } else {
      try limits.takeRequest(from: head.peer, at: services.clock())
    }
    return AdmittedRequest(
      head: head, match: match, path: path, parameters: parameters, who: who,
      project: try named.map { try who.project(named: $0, for: route, services) })
  }

  /// Returns the callers that may use an operation here, or nil if there is no such operation.
  private func access(to route: Route) -> Route.Access? {
    guard route.access == .metrics else { return route.access }
    switch services.settings.metrics ?? (isPublic ? .off : .open) {
    case .off: return nil
    case .open: return .open
    case .token: return .admin(route.scope)
    }
  }
}
