import AuthServer
import Foundation
import IdentityToolkitService
import NIOSSL

/// The check of the server's certificate for `authgraph config check` and `authgraph doctor`.
struct CertificateCheck {
  /// A fault of a file, with the setting that names it.
  struct Fault: Hashable {
    var severity = ConfigurationFinding.Severity.error
    /// The member of the section `tls`.
    let name: String
    let file: String
    /// The end of a sentence that begins with the setting and the file.
    let text: String
    let remedy: String
  }

  let files: HTTPConfiguration.TLSFiles
  /// The address at which clients reach the server, if it is known.
  let publicURL: String?
  /// True if clients may meet the certificate of a proxy instead.
  var isBehindProxy = false
  var now = Date()

  /// The certificates of the chain, the server's own first; empty if they cannot be read.
  var chain: [NIOSSLCertificate] {
    (try? NIOSSLCertificate.fromPEMFile(files.certificatePath)) ?? []
  }

  /// The faults: files that are none, a key of another certificate, times, and names.
  func faults() -> [Fault] {
    let chain = chain
    guard let own = chain.first else {
      return [
        fault(
          "has no certificate as PEM",
          "Give the chain as PEM, which begins with -----BEGIN CERTIFICATE-----.")
      ]
    }
    return keyFaults(chain) + chain.compactMap(timeFault) + nameFaults(own)
  }

  private func fault(
    _ text: String, _ remedy: String, severity: ConfigurationFinding.Severity = .error
  ) -> Fault {
    Fault(
      severity: severity, name: "certificate", file: files.certificatePath, text: text,
      remedy: remedy)
  }

  private func keyFaults(_ chain: [NIOSSLCertificate]) -> [Fault] {
    guard let key = try? NIOSSLPrivateKey(file: files.keyPath, format: .pem) else {
      return [
        Fault(
          name: "key", file: files.keyPath,
          text: "has no private key as PEM, or one with a passphrase",
          remedy: "Give the key as PEM without a passphrase.")
      ]
    }
    // Making a context detects a key that does not match the certificate.
    let context = try? NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)))
    guard context == nil else { return [] }
    return [
      Fault(
        name: "key", file: files.keyPath,
        text: "does not match the first certificate of \(files.certificatePath)",
        remedy: "Give the private key of that certificate, "
          + "and the chain with the server's own certificate first.")
    ]
  }

  private func timeFault(_ certificate: NIOSSLCertificate) -> Fault? {
    let start = Date(timeIntervalSince1970: TimeInterval(certificate.notValidBefore))
    let end = Date(timeIntervalSince1970: TimeInterval(certificate.notValidAfter))
    if end <= now {
      return fault(
        "has a certificate that is over since \(end.formatted(.iso8601))",
        "Renew it. SIGHUP has a running server read it again.")
    }
    guard start > now else { return nil }
    return fault(
      "has a certificate that is not valid before \(start.formatted(.iso8601))",
      "Check the clock of this machine, or use another certificate until then.")
  }

  private func nameFaults(_ certificate: NIOSSLCertificate) -> [Fault] {
    guard let host = publicURL.flatMap({ WebAddress($0)?.host }) else { return [] }
    let names = CertificateNames(certificate)
    guard !names.cover(host) else { return [] }
    let all = names.all.isEmpty ? "no name" : "only \(names.all.joined(separator: ", "))"
    return [
      fault(
        "is for \(all), and publicURL has the host \(host)",
        isBehindProxy
          ? "Nothing, if clients meet a proxy's certificate; otherwise get one for \(host)."
          : "Get a certificate for \(host), or correct publicURL.",
        severity: isBehindProxy ? .warning : .error)
    ]
  }
}

extension CertificateCheck {
  /// Makes the check of a configuration; nil if it has no certificate.
  init?(_ configuration: Configuration, now: Date = Date()) {
    guard let files = configuration.tls else { return nil }
    self.init(
      files: files, publicURL: configuration.publicURL,
      isBehindProxy: !configuration.trustedProxies.isEmpty, now: now)
  }
}

extension ConfigurationSource {
  /// Adds the faults of the server's certificate to the findings.
  func add(_ check: CertificateCheck) {
    // Files that are missing or cannot be read are found already.
    guard !findings.contains(where: { $0.severity == .error && $0.field.hasPrefix("tls") }) else {
      return
    }
    ConfigurationSection(self).section("tls") { section in
      let places = ["certificate", "key"].map { ($0, section.raw($0)) }
      for fault in check.faults() {
        guard let raw = places.first(where: { $0.0 == fault.name })?.1 else { continue }
        add(
          ConfigurationFinding(
            severity: fault.severity, place: raw.place, line: raw.line,
            field: section.field(fault.name),
            message: "\(section.field(fault.name)): \(fault.file) \(fault.text).",
            remedy: fault.remedy))
      }
    }
  }
}
