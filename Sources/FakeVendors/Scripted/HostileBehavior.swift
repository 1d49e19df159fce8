public import AuthCore

/// One fault of an identity provider, as a command line or a script names it.
///
/// A fault is written as a name, such as `algorithm-none`. A fault on the wire can be confined to a path, as in
/// `answers-500@/userinfo`.
public struct HostileBehavior: Hashable, Sendable, CustomStringConvertible {
  /// The layer of the fault.
  public enum Kind: Hashable, Sendable {
    case token(HostileToken)
    case lie(VendorLie)
    case transport(HostileTransport)
  }

  /// The layer of the fault, and the fault itself.
  public let kind: Kind
  /// The only path with the fault; nil for all paths.
  public let path: String?

  /// Makes a behaviour from a fault.
  public init(_ kind: Kind, path: String? = nil) {
    self.kind = kind
    self.path = path
  }

  /// Reads a name.
  ///
  /// Throws `invalid-argument` for an unknown name, with the most similar known one, and for a path with a fault
  /// that cannot have one.
  public init(_ text: String) throws(AuthError) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    guard let known = Self.all.first(where: { $0.name == name }) else {
      throw AuthError(
        .invalidArgument, "There is no hostile behaviour \"\(name)\".", field: "hostile",
        remedy: nearestName(to: name, among: Self.all.map(\.name)).map {
          "Did you mean \"\($0)\"?"
        } ?? "authgraph idp --list-hostile names them all.")
    }
    self = known
    guard parts.count > 1 else { return }
    guard case .transport = kind else {
      throw AuthError(
        .invalidArgument, "\"\(name)\" changes every answer, not that of one path.",
        field: "hostile", remedy: "Leave @ and the path out.")
    }
    guard parts[1].hasPrefix("/"), !parts[1].contains("?") else {
      throw AuthError(
        .invalidArgument, "\"\(parts[1])\" is no path.", field: "hostile",
        remedy: "Write \(name)@/userinfo, for example.")
    }
    self.init(kind, path: String(parts[1]))
  }

  /// Every behaviour, for all paths.
  public static let all: [HostileBehavior] =
    HostileToken.allCases.map { HostileBehavior(.token($0)) }
    + VendorLie.allCases.map { HostileBehavior(.lie($0)) }
    + HostileTransport.allCases.map { HostileBehavior(.transport($0)) }

  /// The name, without the path.
  public var name: String {
    switch kind {
    case .token(let token): token.name
    case .lie(let lie): lie.name
    case .transport(let transport): transport.name
    }
  }

  /// A sentence that describes the provider's fault.
  public var sentence: String {
    switch kind {
    case .token(let token): "Gives an ID token \(token.rawValue)."
    case .lie(let lie): lie.sentence
    case .transport(let transport):
      transport.rawValue.prefix(1).uppercased() + transport.rawValue.dropFirst() + "."
    }
  }

  /// The name, with the path if there is one.
  public var description: String { path.map { "\(name)@\($0)" } ?? name }
}
