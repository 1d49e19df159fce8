import Foundation
import NIOSSL

/// Checks the server's certificate, its key and its names.
struct CertificateHealthCheck {
  let configuration: Configuration
  var now = Date()

  /// The days before the certificate's end from which a warning is given.
  private static let warning = 14

  init(_ configuration: Configuration, now: Date = Date()) {
    self.configuration = configuration
    self.now = now
  }

  func run() -> [Diagnosis] {
    guard let check = CertificateCheck(configuration, now: now) else {
      return [.ok("certificate", "None: the server speaks without TLS.")]
    }
    let faults = check.faults().map { fault in
      let text = "tls.\(fault.name): \(fault.file) \(fault.text). \(fault.remedy)"
      return fault.severity == .error
        ? Diagnosis.wrong("certificate", text) : .warning("certificate", text)
    }
    let isWrong = faults.contains { $0.state == .wrong }
    return faults + (isWrong ? [] : check.chain.map(diagnosis))
  }

  private func diagnosis(of certificate: NIOSSLCertificate) -> Diagnosis {
    let end = Date(timeIntervalSince1970: TimeInterval(certificate.notValidAfter))
    let days = Int(end.timeIntervalSince(now) / 86400)
    let text = "It is good for \(days) more days."
    return days < Self.warning ? .warning("certificate", text) : .ok("certificate", text)
  }
}
