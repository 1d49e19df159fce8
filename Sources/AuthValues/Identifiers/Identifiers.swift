/// Names one account inside its scope: Firebase's `localId`, the console's `uid`.
public struct AccountID: Sendable, Comparable, CustomStringConvertible {
  public let rawValue: String

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// Takes a uid that an admin or an import chose.
  ///
  /// Throws `invalid-uid` unless it is within ``TextBounds/uid``, not empty and without control characters.
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

  public var description: String { rawValue }

  public static func < (a: AccountID, b: AccountID) -> Bool {
    a.rawValue.precedesExactly(b.rawValue)
  }
}

/// Compared byte by byte, as a store does.
extension AccountID: Hashable {
  public static func == (a: AccountID, b: AccountID) -> Bool {
    a.rawValue.isExactly(b.rawValue)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// Names a way to sign in, as Firebase does: `google.com`, `password`, `oidc.work`.
public struct ProviderID: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let rawValue: String

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  public var description: String { rawValue }

  public static func < (a: ProviderID, b: ProviderID) -> Bool { a.rawValue < b.rawValue }

  public static let password = ProviderID("password")
  public static let anonymous = ProviderID("anonymous")
  public static let phone = ProviderID("phone")
  public static let emailLink = ProviderID("emailLink")
  public static let custom = ProviderID("custom")
  /// Credentials of authenticators, each named by its own ID; an account may have many.
  public static let passkey = ProviderID("passkey")
  public static let google = ProviderID("google.com")
  public static let apple = ProviderID("apple.com")
}

/// Says which project and tenant something belongs to; nothing crosses it.
public struct Scope: Hashable, Sendable, Codable, CustomStringConvertible {
  public let project: String
  /// The tenant inside the project, or nil for the project's own accounts.
  public let tenant: String?

  public init(project: String, tenant: String? = nil) {
    self.project = project
    self.tenant = tenant
  }

  public var description: String {
    tenant.map { "\(project)/\($0)" } ?? project
  }
}

/// A point in time in whole milliseconds since 1970-01-01T00:00:00Z, the unit of Firebase's records.
public struct Timestamp: Hashable, Sendable, Comparable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

  /// Adds a number of seconds, which may be negative; what is beyond the range ends at its border.
  public func adding(seconds: Int64) -> Timestamp {
    let (span, spanOverflows) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, overflows) = milliseconds.addingReportingOverflow(span)
    guard spanOverflows || overflows else { return Timestamp(milliseconds: sum) }
    return Timestamp(milliseconds: seconds < 0 ? .min : .max)
  }
}

/// A value that is written as its one string, in JSON and in a database column.
protocol CodableAsText: Codable {
  var rawValue: String { get }
  init(_ rawValue: String)
}

extension CodableAsText {
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

extension Timestamp: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }
}
