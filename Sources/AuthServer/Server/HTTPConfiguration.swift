/// How the server listens and what it takes.
public struct HTTPConfiguration: Sendable {
  public var host = "127.0.0.1"
  /// 0 takes a free one.
  public var port = 9099
  public var tls: TLSFiles?
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
  /// Networks whose `X-Forwarded-For` is believed, as addresses or prefixes such as `10.0.0.0/8`.
  public var trustedProxies: [String] = []
  /// The origins whose scripts may call; empty for all, as Firebase does.
  public var allowedOrigins: Set<String> = []

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
