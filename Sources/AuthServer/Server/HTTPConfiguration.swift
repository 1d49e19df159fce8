/// How the server listens and what it takes.
public struct HTTPConfiguration: Sendable {
  public var host = "127.0.0.1"
  /// 0 takes a free one.
  public var port = 9099
  public var certificate: ServerCertificate?
  /// Whether HTTP/2 is offered too; only with TLS, where clients choose by ALPN.
  public var offersHTTP2 = true
  /// The longest body that is read, in bytes.
  public var maximumBodyBytes = 10 * 1024 * 1024
  /// How long a request may take until its body has come, and a connection may be idle, in seconds.
  public var idleSeconds: Int64 = 60
  /// How long a handler may take, in seconds.
  public var requestSeconds: Int64 = 30
  /// How many connections may be open at once; further ones wait.
  public var maximumConnections = 10_000

  public init() {}

  /// A certificate chain and its private key, as PEM files.
  public struct TLSFiles: Sendable, Hashable {
    public var certificatePath: String
    public var keyPath: String

    public init(certificatePath: String, keyPath: String) {
      self.certificatePath = certificatePath
      self.keyPath = keyPath
    }
  }
}
