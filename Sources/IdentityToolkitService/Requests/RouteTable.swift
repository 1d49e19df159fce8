import Foundation

/// Finds the operation that a path names.
struct RouteTable: Sendable {
  struct Match: Sendable {
    let route: Route
    /// The path's values for the names in the pattern.
    let values: [String: String]
  }

  private struct Key: Hashable {
    let method: Route.Method
    let segments: Int
  }

  private var literal: [String: Route] = [:]
  private var patterns: [Key: [(parts: [Part], route: Route)]] = [:]

  init(_ routes: [Route]) {
    for route in routes {
      let segments = Self.segments(route.pattern)
      if segments.contains(where: { $0.contains("{") }) {
        patterns[Key(method: route.method, segments: segments.count), default: []]
          .append((segments.map(Part.init), route))
      } else {
        literal["\(route.method.rawValue) \(route.pattern)"] = route
      }
    }
  }

  func match(_ path: RoutePath) -> Match? {
    if let route = literal["\(path.method.rawValue) \(path.path)"] {
      return Match(route: route, values: [:])
    }
    let segments = Self.segments(path.path)
    let candidates = patterns[Key(method: path.method, segments: segments.count)] ?? []
    for (parts, route) in candidates {
      var values: [String: String] = [:]
      let fits = zip(parts, segments).allSatisfy { $0.takes($1, &values) }
      if fits { return Match(route: route, values: values) }
    }
    return nil
  }

  private static func segments(_ path: String) -> [String] {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map { $0.removingPercentEncoding ?? String($0) }
  }

  /// A segment of a pattern: a word, a name in braces, or a name with a verb after a colon.
  private enum Part: Sendable {
    case word(String)
    case name(String, verb: String?)

    init(_ segment: String) {
      guard segment.hasPrefix("{"), let end = segment.firstIndex(of: "}") else {
        self = .word(segment)
        return
      }
      let name = segment[segment.index(after: segment.startIndex)..<end]
      let rest = segment[segment.index(after: end)...]
      self = .name(String(name), verb: rest.isEmpty ? nil : String(rest))
    }

    func takes(_ segment: String, _ values: inout [String: String]) -> Bool {
      switch self {
      case .word(let word): return word == segment
      case .name(let name, let verb):
        guard segment.hasSuffix(verb ?? ""), segment.count > (verb?.count ?? 0) else {
          return false
        }
        values[name] = String(segment.dropLast(verb?.count ?? 0))
        return true
      }
    }
  }
}
