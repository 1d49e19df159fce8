import AuthCore
import FakeVendors

/// One sign-in to play: the credential and the vendor's answers.
struct Rehearsal: Sendable {
  var credential: [String: String]
  var exchanges: [Fixture.Exchange]
  var idToken: [String: JSONValue]?
  /// The kind of ID token that is made of the claims.
  var token = Token.honest
  /// The failing request and its fault.
  var trouble: (target: VendorTarget, trouble: TransportTrouble)?
  /// True if unrecorded requests are refused, as a vendor refuses unknown values.
  var refusesUnknown = false
  /// The delay after the other rehearsals, in seconds.
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

  /// True if the caches of keys and documents have to be empty.
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
  /// True for a recorded discovery document.
  fileprivate var isDiscovery: Bool {
    request.url.hasSuffix("/.well-known/openid-configuration")
  }
}

/// A request of a plug-in to its vendor.
enum VendorTarget: Sendable, Hashable {
  /// A recorded exchange, by its position.
  case exchange(Int)
  case keys(url: String)
  case discovery(url: String)
}
