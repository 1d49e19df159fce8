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

  /// Operations that no run against another's server may call, by name, with the reason; there are none.
  private static let uncalled: [String: String] = [:]

  @Test(arguments: [ServerMode.emulator, .production])
  func `call every operation in each mode in which it is served`(_ mode: ServerMode) throws {
    #expect(Self.uncalled.count <= 10)
    let table = RouteTable(Route.all.filter { $0.modes.contains(mode) })
    let steps = try CaseFile.shipped().flatMap(\.cases)
      .filter { $0.modes.contains(mode == .emulator ? .emulator : .production) }
      .flatMap(\.steps)
      .filter { $0.modes.contains(mode == .emulator ? .emulator : .production) }
    let called = Set(
      steps.compactMap { step -> String? in
        let path = String(step.path.prefix { $0 != "?" })
          .replacing(/\$\{[A-Za-z0-9_]+\}/, with: "x")
        return RoutePath(method: step.method.rawValue, path: path).flatMap {
          table.match($0)?.route
        }
        .map(Self.operation)
      })
    let missed = Route.all.filter { $0.modes.contains(mode) && Self.uncalled[$0.name] == nil }
      .map(Self.operation).filter { !called.contains($0) }
    #expect(missed.isEmpty, "\(missed.sorted())")
  }

  /// Returns what tells a route from all others; several have one name.
  private static func operation(_ route: Route) -> String {
    "\(route.method.rawValue) \(route.service.rawValue)\(route.pattern)"
  }
}
