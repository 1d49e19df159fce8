/// How the server listens and what it takes.
public struct HTTPConfiguration: Sendable {
  public var host = "127.0.0.1"
  /// 0 takes a free one.
  public var port = 9099
  public var certificate: ServerCertificate?
  /// Whether HTTP/2 is offered too; only with TLS, where clients choose by ALPN.
  public var offersHTTP2 = true
  /// The longest body of an admin, such as an import of accounts, in bytes.
  public var maximumBodyBytes = 10 * 1024 * 1024
  /// The longest body of a client, in bytes.
  public var maximumClientBodyBytes = 256 * 1024
  /// The bytes of bodies that are held at once, in all requests together.
  ///
  /// The clients of one address get at most a quarter of it.
  public var maximumBodyBytesInFlight = 64 * 1024 * 1024
  /// How long a request may take until its body has come, and a connection may be idle, in seconds.
  public var idleSeconds: Int64 = 60
  /// How long a handler may take, in seconds.
  public var requestSeconds: Int64 = 30
  /// How many connections may be open at once; further ones wait.
  public var maximumConnections = 10_000
  /// How many of them one address may have; further ones are closed.
  ///
  /// An IPv6 network of 64 bits is one address, and trusted proxies are not counted. 0 is without limit; nil is 256,
  /// or a quarter of all connections if that is less.
  public var maximumConnectionsPerAddress: Int?

  public init() {}

  /// The limit of one address; nil if there is none.
  var connectionsPerAddress: Int? {
    let limit = maximumConnectionsPerAddress ?? min(256, max(1, maximumConnections / 4))
    return limit > 0 ? limit : nil
  }

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
