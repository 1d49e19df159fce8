/// The ID of an account inside its scope: Firebase's `localId`, the console's `uid`.
public struct AccountID: Sendable, Comparable, CustomStringConvertible {
  /// The uid as text.
  public let rawValue: String

  /// Makes an ID without checking it.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// Reads a uid that an admin or an import chose.
  ///
  /// Throws `invalid-uid` if it is empty, exceeds ``TextBounds/uid`` or contains control characters.
  public init(validating text: String) throws(AuthError) {
    guard !text.isEmpty, TextBounds.uid.allow(text),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else {
      throw AuthError(
        .invalidUID, "A uid has 1 to \(TextBounds.uid), all printable.", field: "uid",
        remedy: "Choose a shorter uid, or leave it out to have one made.")
    }
    self.init(text)
  }

  /// The uid as text.
  public var description: String { rawValue }

  public static func < (a: AccountID, b: AccountID) -> Bool {
    a.rawValue.precedesExactly(b.rawValue)
  }
}

/// Account IDs are compared byte by byte, as in a store.
extension AccountID: Hashable {
  public static func == (a: AccountID, b: AccountID) -> Bool {
    a.rawValue.isExactly(b.rawValue)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// The ID of a way to sign in, as Firebase spells it: `google.com`, `password`, `oidc.work`.
public struct ProviderID: Sendable, Comparable, CustomStringConvertible {
  /// The provider's ID as text.
  public let rawValue: String

  /// Makes an ID without checking it.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The provider's ID as text.
  public var description: String { rawValue }

  public static func < (a: ProviderID, b: ProviderID) -> Bool {
    a.rawValue.precedesExactly(b.rawValue)
  }

  /// Sign-in with e-mail address and password.
  public static let password = ProviderID("password")
  /// Sign-up without any credential.
  public static let anonymous = ProviderID("anonymous")
  /// Sign-in with a code sent to a phone number.
  public static let phone = ProviderID("phone")
  /// Sign-in with a link sent to an e-mail address.
  public static let emailLink = ProviderID("emailLink")
  /// Sign-in with a custom token that the app's own server signed.
  public static let custom = ProviderID("custom")
  /// Passkeys, each with a credential ID of its own; an account may have many.
  public static let passkey = ProviderID("passkey")
  /// Sign-in with Google.
  public static let google = ProviderID("google.com")
  /// Sign-in with Apple.
  public static let apple = ProviderID("apple.com")
}

/// Provider IDs are compared byte by byte, as in a store.
extension ProviderID: Hashable {
  public static func == (a: ProviderID, b: ProviderID) -> Bool {
    a.rawValue.isExactly(b.rawValue)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// The project and tenant that data belongs to; no operation crosses it.
public struct Scope: Sendable, Codable, CustomStringConvertible {
  /// The project's ID.
  public let project: String
  /// The tenant's ID, or nil for the accounts of the project itself.
  public let tenant: String?

  /// Names a project, or a tenant of it.
  public init(project: String, tenant: String? = nil) {
    self.project = project
    self.tenant = tenant
  }

  /// The project, or `project/tenant`.
  public var description: String {
    tenant.map { "\(project)/\($0)" } ?? project
  }
}

/// Scopes are compared byte by byte, as in a store.
extension Scope: Hashable {
  public static func == (a: Scope, b: Scope) -> Bool {
    guard a.project.isExactly(b.project) else { return false }
    guard let own = a.tenant, let other = b.tenant else { return a.tenant == b.tenant }
    return own.isExactly(other)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(project)
    hasher.combine(tenant)
  }
}

/// A point in time in whole milliseconds since 1970-01-01T00:00:00Z, the unit of Firebase's records.
public struct Timestamp: Hashable, Sendable, Comparable {
  /// The milliseconds since the epoch; negative before it.
  public let milliseconds: Int64

  /// Makes a point in time from milliseconds since the epoch.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

  /// Returns the time a number of seconds later, or earlier if negative; saturates at the ends of the range.
  public func adding(seconds: Int64) -> Timestamp {
    let (span, spanOverflows) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, overflows) = milliseconds.addingReportingOverflow(span)
    guard spanOverflows || overflows else { return Timestamp(milliseconds: sum) }
    return Timestamp(milliseconds: seconds < 0 ? .min : .max)
  }
}

/// A value that is encoded as one string, in JSON and in a database column.
protocol CodableAsText: Codable {
  var rawValue: String { get }
  init(_ rawValue: String)
}

extension CodableAsText {
  /// Reads the value from a JSON string.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension AccountID: CodableAsText {}
extension ProviderID: CodableAsText {}
extension AuthError.Code: CodableAsText {}

extension Timestamp: Codable {
  /// Reads milliseconds since the epoch.
  public init(from decoder: any Decoder) throws {
    self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }
}
