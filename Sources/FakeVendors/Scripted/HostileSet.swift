public import AuthCore

/// Holds the behaviours that a provider shows at the same time; none means that it is honest.
public struct HostileSet: Hashable, Sendable {
  public let behaviors: [HostileBehavior]

  /// Describes an honest provider.
  public static let honest = HostileSet()

  private init() { behaviors = [] }

  /// Reads names.
  ///
  /// Throws `invalid-argument` for a name that is not known, and for two that cannot be shown at once.
  public init(names: [String]) throws(AuthError) {
    var behaviors: [HostileBehavior] = []
    for name in names {
      let behavior = try HostileBehavior(name)
      guard !behaviors.contains(behavior) else { continue }
      if let other = behaviors.first(where: { $0.excludes(behavior) }) {
        throw AuthError(
          .invalidArgument, "\(other) and \(behavior) cannot both be shown at once.",
          field: "hostile", remedy: "Try one after the other.")
      }
      behaviors.append(behavior)
    }
    self.behaviors = behaviors
  }

  public var names: [String] { behaviors.map(\.description) }

  /// What the provider lies about.
  var misbehavior: VendorMisbehavior {
    var misbehavior = VendorMisbehavior()
    for behavior in behaviors {
      switch behavior.kind {
      case .token(let token): misbehavior.idToken = token
      case .lie(let lie): lie.apply(to: &misbehavior)
      case .transport: break
      }
    }
    return misbehavior
  }
}

extension HostileBehavior {
  /// Whether one would hide the other: a token, an answer and a parameter are wrong in one way.
  fileprivate func excludes(_ other: HostileBehavior) -> Bool {
    switch (kind, other.kind) {
    case (.token, .token): true
    case (.transport, .transport): path == other.path
    case (.lie(let one), .lie(let another)):
      one.parameter != nil && one.parameter == another.parameter
    default: false
    }
  }
}

extension VendorLie {
  /// The parameter of the authorization answer that is wrong.
  fileprivate var parameter: String? {
    switch self {
    case .responseIssuerMissing, .responseIssuerWrong: "iss"
    case .responseStateMissing, .responseStateWrong: "state"
    default: nil
    }
  }
}
