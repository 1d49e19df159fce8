public import AuthValues

/// The mail server and the sender of messages.
public struct SMTPConfiguration: Sendable {
  /// The protection of the connection.
  public enum Protection: String, Sendable, Hashable, CaseIterable {
    /// TLS from the first byte, as on port 465 (RFC 8314).
    case tls
    /// Plain at first, then STARTTLS, which has to succeed (RFC 3207).
    case startTLS = "starttls"
    /// No protection, for a server on the same machine.
    case none

    /// The usual port of the protection.
    public var usualPort: Int {
      switch self {
      case .tls: 465
      case .startTLS: 587
      case .none: 25
      }
    }
  }

  /// The name or address of the server.
  public var host: String
  /// The port of the server.
  public var port: Int
  /// The protection of the connection.
  public var protection: Protection
  /// The account to sign in with; nil if the server requires none.
  ///
  /// It is refused over a connection without TLS, except to this machine itself.
  public var userName: String?
  /// The password of the account.
  public var password: Secret<String>?
  /// The sender's address.
  public var from: String
  /// The sender's name beside the address.
  public var fromName: String?
  /// The name that the client sends in its greeting.
  public var clientName = "localhost"
  /// The trusted certificates in PEM; nil for the system's.
  public var trustedCertificates: String?
  /// The time for one message, from connecting to the last answer.
  public var timeout: Duration = .seconds(30)
  /// The texts of the messages.
  public var texts = MessageTexts()

  /// Makes a configuration without a sign-in and with the usual texts.
  public init(host: String, port: Int, protection: Protection, from: String) {
    self.host = host
    self.port = port
    self.protection = protection
    self.from = from
  }

  /// True if the server is on this machine, so that the connection cannot be read by others.
  var isLoopback: Bool {
    host == "localhost" || host == "::1" || isLoopbackIPv4
  }

  private var isLoopbackIPv4: Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
