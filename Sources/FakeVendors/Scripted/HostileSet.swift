public import AuthCore

/// The faults that a provider shows at the same time; an empty set means that it is honest.
public struct HostileSet: Hashable, Sendable {
  /// The faults, in the order of their names.
  public let behaviors: [HostileBehavior]

  /// An honest provider.
  public static let honest = HostileSet()

  private init() { behaviors = [] }

  /// Reads names.
  ///
  /// Throws `invalid-argument` for an unknown name, and for two faults that exclude each other.
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

  /// The names of the faults.
  public var names: [String] { behaviors.map(\.description) }

  /// The provider's lies.
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
  /// Tells whether one fault would hide the other: a token, an answer or a parameter has one fault at a time.
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
  /// The faulty parameter of the authorization answer.
  fileprivate var parameter: String? {
    switch self {
    case .responseIssuerMissing, .responseIssuerWrong: "iss"
    case .responseStateMissing, .responseStateWrong: "state"
    default: nil
    }
  }
}
