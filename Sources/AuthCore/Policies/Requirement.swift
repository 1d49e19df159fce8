/// A condition that a person has to meet before a change; a script asks for it.
public enum Requirement: Sendable, Hashable {
  /// The session was opened with a second factor.
  case secondFactor
  /// The session was opened at most this many seconds ago; nil for ``ProjectSettings/recentLoginSeconds``.
  case recentLogin(seconds: Int64?)
  /// The account that asks has verified its address.
  case verifiedAddress
  /// An admin approves the change.
  case approval
}

extension Requirement {
  /// The names of all requirements, as scripts and the audit write them.
  public static let names = ["second factor", "recent login", "verified address", "approval"]

  /// The name, as scripts and the audit write it.
  public var name: String {
    switch self {
    case .secondFactor: "second factor"
    case .recentLogin: "recent login"
    case .verifiedAddress: "verified address"
    case .approval: "approval"
    }
  }

  /// Makes the requirement of a name; nil for an unknown name.
  ///
  /// `seconds` concerns only a recent sign-in.
  public init?(named name: String, seconds: Int64? = nil) {
    switch name {
    case "second factor": self = .secondFactor
    case "recent login": self = .recentLogin(seconds: seconds)
    case "verified address": self = .verifiedAddress
    case "approval": self = .approval
    default: return nil
    }
  }
}

extension Requirement: CustomStringConvertible {
  /// The requirement as a noun, such as `a sign-in of the last 300 seconds`.
  public var description: String {
    switch self {
    case .secondFactor: "a second factor"
    case .recentLogin(nil): "a recent sign-in"
    case .recentLogin(let seconds?): "a sign-in of the last \(seconds) seconds"
    case .verifiedAddress: "a verified address"
    case .approval: "an admin's approval"
    }
  }
}
