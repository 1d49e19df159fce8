import NIOCore
import NIOSSL
import NIOConcurrencyHelpers

/// The certificate for new connections, which can be replaced while the server runs.
public final class ServerCertificate: Sendable {
  private struct Pair {
    let chain: [NIOSSLCertificateSource]
    let key: NIOSSLPrivateKeySource
  }

  private let files: HTTPConfiguration.TLSFiles
  private let current: NIOLockedValueBox<Pair>

  /// Reads both files; throws if one is missing or invalid, or if they do not match.
  public init(_ files: HTTPConfiguration.TLSFiles) throws {
    self.files = files
    current = NIOLockedValueBox(try Self.read(files))
  }

  /// Reads both files again; throws and keeps the current certificate if one of them is invalid.
  public func reload() throws {
    let pair = try Self.read(files)
    current.withLockedValue { $0 = pair }
  }

  private static func read(_ files: HTTPConfiguration.TLSFiles) throws -> Pair {
    let certificates = try NIOSSLCertificate.fromPEMFile(files.certificatePath)
    let key = try NIOSSLPrivateKey(file: files.keyPath, format: .pem)
    // Making a context detects a key that does not match the certificate.
    _ = try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key)))
    return Pair(chain: certificates.map { .certificate($0) }, key: .privateKey(key))
  }

  /// Returns the TLS settings of a new connection: TLS 1.2 or later, with the current certificate.
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
