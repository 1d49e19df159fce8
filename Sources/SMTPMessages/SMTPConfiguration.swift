public import AuthCore

/// Where mail is handed over, and as whom.
public struct SMTPConfiguration: Sendable {
  /// How the connection is kept from being read.
  public enum Protection: String, Sendable, Hashable {
    /// TLS from the first byte, as on port 465 (RFC 8314).
    case tls
    /// Plain at first, then STARTTLS, which has to succeed (RFC 3207).
    case startTLS = "starttls"
    /// Nothing; for a server on the same machine.
    case none
  }

  public var host: String
  public var port: Int
  public var protection: Protection
  public var userName: String?
  public var password: Secret<String>?
  /// The sender's address.
  public var from: String
  /// Certificates to trust instead of the system's, as PEM; nil for the system's.
  public var trustedCertificates: String?

  public init(host: String, port: Int, protection: Protection, from: String) {
    self.host = host
    self.port = port
    self.protection = protection
    self.from = from
  }
}
