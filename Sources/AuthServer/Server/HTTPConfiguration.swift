/// The address, TLS files and limits of the server.
public struct HTTPConfiguration: Sendable {
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 for any free one.
  public var port = 9099
  /// The certificate for TLS; nil for plain HTTP.
  public var certificate: ServerCertificate?
  /// True if HTTP/2 is offered too.
  ///
  /// It needs TLS, with which clients choose by ALPN.
  public var offersHTTP2 = true
  /// The maximum body of an admin's request, such as an import of accounts, in bytes.
  public var maximumBodyBytes = 10 * 1024 * 1024
  /// The maximum body of a client's request, in bytes.
  public var maximumClientBodyBytes = 256 * 1024
  /// The maximum total of the bodies held at once, in bytes.
  ///
  /// The clients of one address get at most a quarter of it.
  public var maximumBodyBytesInFlight = 64 * 1024 * 1024
  /// The seconds that a request may take to arrive, body included, and that a connection may be idle.
  public var idleSeconds: Int64 = 60
  /// The seconds that a handler may take.
  public var requestSeconds: Int64 = 30
  /// The maximum number of open connections; further ones wait.
  public var maximumConnections = 10_000
  /// The maximum number of open connections of one address; further ones are closed.
  ///
  /// An IPv6 network of 64 bits counts as one address. Trusted proxies are not counted. 0 means no limit; nil means
  /// 256, or a quarter of all connections if that is less.
  public var maximumConnectionsPerAddress: Int?

  /// Makes the default configuration.
  public init() {}

  /// The limit of one address; nil if there is none.
  var connectionsPerAddress: Int? {
    let limit = maximumConnectionsPerAddress ?? min(256, max(1, maximumConnections / 4))
    return limit > 0 ? limit : nil
  }

  /// A certificate chain and its private key, as PEM files.
  public struct TLSFiles: Sendable, Hashable {
    /// The path of the certificate chain.
    public var certificatePath: String
    /// The path of the private key.
    public var keyPath: String

    /// Takes the paths of both files, without reading them.
    public init(certificatePath: String, keyPath: String) {
      self.certificatePath = certificatePath
      self.keyPath = keyPath
    }
  }
}
