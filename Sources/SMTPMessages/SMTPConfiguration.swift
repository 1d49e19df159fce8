public import AuthValues

/// Where mail is handed over, and as whom.
public struct SMTPConfiguration: Sendable {
  /// How the connection is kept from being read.
  public enum Protection: String, Sendable, Hashable, CaseIterable {
    /// TLS from the first byte, as on port 465 (RFC 8314).
    case tls
    /// Plain at first, then STARTTLS, which has to succeed (RFC 3207).
    case startTLS = "starttls"
    /// Nothing; for a server on the same machine.
    case none

    /// The port that servers usually have for it.
    public var usualPort: Int {
      switch self {
      case .tls: 465
      case .startTLS: 587
      case .none: 25
      }
    }
  }

  public var host: String
  public var port: Int
  public var protection: Protection
  /// Whom to sign in as; nil where the server asks for nothing.
  ///
  /// It is refused over a connection without TLS, except to this machine itself.
  public var userName: String?
  public var password: Secret<String>?
  /// The sender's address.
  public var from: String
  /// What the sender is called beside the address.
  public var fromName: String?
  /// The name that the server is greeted with.
  public var clientName = "localhost"
  /// Certificates to trust instead of the system's, as PEM; nil for the system's.
  public var trustedCertificates: String?
  /// How long handing one message over may take, from connecting to the last answer.
  public var timeout: Duration = .seconds(30)
  /// What the messages say.
  public var texts = MessageTexts()

  public init(host: String, port: Int, protection: Protection, from: String) {
    self.host = host
    self.port = port
    self.protection = protection
    self.from = from
  }

  /// Whether the server is on this machine, so that nobody can read what goes there.
  var isLoopback: Bool {
    host == "localhost" || host == "::1" || isLoopbackIPv4
  }

  private var isLoopbackIPv4: Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
