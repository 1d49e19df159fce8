import AuthCore
import LuaPlugins

/// Explains which path of a mapping is missing in which recorded answer.
struct MissingPath {
  let declaration: PluginDeclaration
  let scenario: Fixture.Scenario
  let log: ReplayTransport.Log

  private static let mostNames = 12

  /// Returns the reason for a field without a value, as a sentence after a space; empty if the reason is unknown.
  func explanation(of field: String) -> String {
    let paths = declaration.mappedPaths[field] ?? []
    var nearest: (shortfall: PathShortfall, path: String, answer: String)?
    for path in paths {
      for (answer, json) in answers {
        guard let shortfall = PathShortfall(of: path, in: json) else { return "" }
        guard shortfall.depth >= nearest?.shortfall.depth ?? 0 else { continue }
        nearest = (shortfall, path, answer)
      }
    }
    guard let (shortfall, path, answer) = nearest else { return "" }
    let place = shortfall.reached.isEmpty ? "It" : "\"\(shortfall.reached)\" there"
    if let unmet = shortfall.unmet {
      return " The path \"\(path)\" is not in the answer of \(answer). "
        + "\(place) has no element with \(unmet)."
    }
    let names = shortfall.names
    let more = names.count > Self.mostNames ? ", …" : ""
    let list = names.prefix(Self.mostNames).joined(separator: ", ") + more
    let there = names.isEmpty ? "\(place) has no names." : "\(place) has \(list)."
    let hint = shortfall.missing.flatMap { nearestName(to: $0, among: names) }
      .map { " Did you mean \"\($0)\"?" }
    return " The path \"\(path)\" is not in the answer of \(answer). \(there)\(hint ?? "")"
  }

  /// The answers in order, and the claims of the ID token.
  private var answers: [(String, JSONValue)] {
    var answers: [(String, JSONValue)] = []
    for case .exchange(let index) in log.asked {
      let exchange = scenario.exchanges[index]
      if case .json(let json) = exchange.response.body, json["jwks_uri"] == nil {
        answers.append((exchange.request.title, json))
      }
    }
    if let claims = scenario.idToken { answers.append(("the ID token", .object(claims))) }
    return answers
  }
}
