import AuthCore
import Conformance
import Testing

@testable import IdentityToolkitService

/// The parts of the protocol that the suite's cases reach.
@Suite struct `The cases of the conformance suite` {
  /// The text of all cases.
  private static let text = CaseFile.embedded
    .map { String(decoding: $0.bytes, as: UTF8.self) }.joined()

  /// Codes that no case of a running server can provoke, with the reason.
  private static let unreached: [String: String] = {
    let time = "needs time to pass"
    let limit = "needs limits, which a run turns off"
    let app = "needs a verifier of apps"
    return [
      "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": time, "EXPIRED_OOB_CODE": time, "SESSION_EXPIRED": time,
      "TOO_MANY_ATTEMPTS_TRY_LATER": limit, "INVALID_APP_CREDENTIAL": app,
      "MISSING_IOS_APP_TOKEN": app,
      "BLOCKING_FUNCTION_ERROR_RESPONSE": "needs a function",
      "API key not valid. Please pass a valid API key.": "needs a server that lists its keys",
    ]
  }()

  @Test func `provoke the codes of the catalogue`() {
    let codes = `Every code of the protocol's catalogue`.catalogue
      .subtracting(`Every code of the protocol's catalogue`.absent.keys)
      .subtracting(Self.unreached.keys)
    let missed = codes.filter { !Self.text.contains($0) }.sorted()
    // A new code may come before its case.
    #expect(missed.count * 8 <= codes.count, "\(missed)")
  }

  @Test func `call every operation of the protocol`() throws {
    let paths = Set(
      try CaseFile.shipped().flatMap(\.cases).flatMap(\.steps).map { step in
        "\(step.method.rawValue) \(step.path.prefix { $0 != "?" })"
      })
    let called = Set(
      paths.compactMap { line -> String? in
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let path = parts[1].replacing(/\$\{[A-Za-z0-9_]+\}/, with: "x")
        return RoutePath(method: parts[0], path: path)
          .flatMap { RouteTable(Route.all).match($0)?.route.name }
      })
    // The admin API is our own, and a tenant's operations are those of its project.
    let own = [
      "browser.", "action.", "authgraph.", "ready", "identitytoolkit.accounts.move", "admin.",
      "identitytoolkit.projects.tenants.",
    ]
    let names = Set(Route.all.map(\.name)).filter { name in !own.contains { name.hasPrefix($0) } }
    let missed = names.subtracting(called).sorted()
    #expect(missed.count * 8 <= names.count, "\(missed)")
  }
}
