import NIOCore
import NIOSSL
import NIOConcurrencyHelpers

/// The certificate that new connections get; may be replaced while the server runs.
public final class ServerCertificate: Sendable {
  private struct Pair {
    let chain: [NIOSSLCertificateSource]
    let key: NIOSSLPrivateKeySource
  }

  private let files: HTTPConfiguration.TLSFiles
  private let current: NIOLockedValueBox<Pair>

  /// Reads both files; throws what is wrong with them.
  public init(_ files: HTTPConfiguration.TLSFiles) throws {
    self.files = files
    current = NIOLockedValueBox(try Self.read(files))
  }

  /// Reads both files again; what is in use stays where one of them is no good.
  public func reload() throws {
    let pair = try Self.read(files)
    current.withLockedValue { $0 = pair }
  }

  private static func read(_ files: HTTPConfiguration.TLSFiles) throws -> Pair {
    let certificates = try NIOSSLCertificate.fromPEMFile(files.certificatePath)
    let key = try NIOSSLPrivateKey(file: files.keyPath, format: .pem)
    // Making a context notices a key that is another certificate's.
    _ = try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key)))
    return Pair(chain: certificates.map { .certificate($0) }, key: .privateKey(key))
  }

  /// TLS 1.2 at least, with the certificate as it is when a connection begins.
  func configuration() -> TLSConfiguration {
    let pair = current.withLockedValue { $0 }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: pair.chain, privateKey: pair.key)
    configuration.minimumTLSVersion = .tlsv12
    configuration.sslContextCallback = { [self] _, promise in
      let pair = current.withLockedValue { $0 }
      var override = NIOSSLContextConfigurationOverride()
      override.certificateChain = pair.chain
      override.privateKey = pair.key
      promise.succeed(override)
    }
    return configuration
  }
}
