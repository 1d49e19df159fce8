import AuthCore
import FakeVendors

/// One sign-in that is to be played: what the credential brings, and what the vendor answers.
struct Rehearsal: Sendable {
  var credential: [String: String]
  var exchanges: [Fixture.Exchange]
  var idToken: [String: JSONValue]?
  /// How the ID token is made of its claims.
  var token = Token.honest
  /// Where the vendor fails, and how.
  var trouble: (target: VendorTarget, trouble: TransportTrouble)?
  /// Whether what nobody recorded is refused as a vendor refuses what it does not know.
  var refusesUnknown = false
  /// How many seconds after the others it is played.
  var delay: Int64 = 0

  enum Token: Sendable, Hashable {
    case honest
    case hostile(HostileToken)
  }

  init(_ scenario: Fixture.Scenario) {
    credential = scenario.credential
    exchanges = scenario.exchanges
    idToken = scenario.idToken
  }

  /// Whether it needs keys and documents that nobody has read before.
  var needsFreshCaches: Bool {
    guard delay == 0 else { return true }
    switch trouble?.target {
    case .keys, .discovery: return true
    case .exchange(let index) where exchanges[index].isDiscovery: return true
    default: break
    }
    if case .hostile(let form) = token {
      return form == .duplicateKeyID || form == .keyOfAnotherType
    }
    return false
  }
}

extension Fixture.Exchange {
  /// Whether it is a recorded discovery document.
  fileprivate var isDiscovery: Bool {
    request.url.hasSuffix("/.well-known/openid-configuration")
  }
}

/// What a plug-in can ask a vendor.
enum VendorTarget: Sendable, Hashable {
  /// A recorded exchange, by its position.
  case exchange(Int)
  case keys(url: String)
  case discovery(url: String)
}
