import NIOSSL

/// The authorities whose certificates a transport accepts in addition to the system's.
public struct CertificateAuthorities: Sendable {
  let certificates: [NIOSSLCertificate]

  /// The system's authorities alone.
  public static let system = CertificateAuthorities(certificates: [])

  private init(certificates: [NIOSSLCertificate]) {
    self.certificates = certificates
  }

  /// Reads certificates in PEM; nil if there is none, or if one cannot be read.
  public init?(pem: [UInt8]) {
    guard let found = try? NIOSSLCertificate.fromPEMBytes(pem), !found.isEmpty else { return nil }
    certificates = found
  }

  /// The settings of TLS; nil for the defaults.
  var configuration: TLSConfiguration? {
    guard !certificates.isEmpty else { return nil }
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.additionalTrustRoots = [.certificates(certificates)]
    return tls
  }
}
