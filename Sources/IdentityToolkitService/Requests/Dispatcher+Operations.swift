import AuthCore

/// The shape of an operation's body, for tools that send requests to all operations.
package struct OperationShape: Sendable {
  package let name: String
  package let method: String
  package let pattern: String
  package let modes: Set<ServerMode>
  /// The paths of the body that a request can fill: names, and `0` for an entry of a list.
  package let places: [[String]]
}

extension Dispatcher {
  /// Every operation that has a body, once for each name.
  package static var operations: [OperationShape] {
    var seen: Set<String> = []
    let routes = Route.all.filter {
      ![.get, .delete].contains($0.method) && !$0.takesBytes && seen.insert($0.name).inserted
    }
    return routes.map { route in
      OperationShape(
        name: route.name, method: route.method.rawValue, pattern: route.pattern,
        modes: route.modes,
        // Undeclared fields have the default bound too, at any depth.
        places: [[], ["undeclared"], ["undeclared", "0", "deeper"]]
          + (route.fields ?? []).flatMap(\.places))
    }
  }
}

extension RouteField {
  /// The paths of the field itself and of every field in it.
  fileprivate var places: [[String]] {
    let (step, inner): ([String], [RouteField]) =
      switch shape {
      case .list(_, let fields): (["0"], fields)
      case .object(let fields): ([], fields)
      case .text, .flag, .number, .decimal, .choice, .map, .anything: ([], [])
      }
    return [[name]] + inner.flatMap(\.places).map { [name] + step + $0 }
  }
}
