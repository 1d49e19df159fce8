import AuthServer
import Foundation
import IdentityToolkitService
import NIOSSL

/// Checks the server's certificate and its key.
struct CertificateHealthCheck {
  let files: HTTPConfiguration.TLSFiles?
  var now = Date()

  /// The days before the certificate's end from which a warning is given.
  private static let warning = 14

  func run() -> [Diagnosis] {
    guard let files else { return [.ok("certificate", "None: the server speaks without TLS.")] }
    do {
      let chain = try NIOSSLCertificate.fromPEMFile(files.certificatePath)
      let key = try NIOSSLPrivateKey(file: files.keyPath, format: .pem)
      _ = try NIOSSLContext(
        configuration: .makeServerConfiguration(
          certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)))
      return chain.map(diagnosis)
    } catch {
      return [
        .wrong(
          "certificate",
          "\(files.certificatePath) and \(files.keyPath) do not work together, or cannot be read.")
      ]
    }
  }

  private func diagnosis(of certificate: NIOSSLCertificate) -> Diagnosis {
    let end = Date(timeIntervalSince1970: TimeInterval(certificate.notValidAfter))
    let days = Int(end.timeIntervalSince(now) / 86400)
    guard end > now else {
      return .wrong("certificate", "It is over since \(end.formatted(.iso8601)).")
    }
    let text = "It is good for \(days) more days."
    return days < Self.warning ? .warning("certificate", text) : .ok("certificate", text)
  }
}
