import AuthCore
import Foundation
import IdentityToolkitService
import TestSupport
import Testing

@testable import AuthServer
@testable import Commands

/// What `authgraph config check` and `authgraph doctor` say of a server's certificate.
@Suite(.enabled(if: TestAuthority.isThere)) struct `The check of a certificate` {
  private let folder: TemporaryFolder
  private let authority: TestAuthority
  private static let day: TimeInterval = 86400

  init() throws {
    folder = try TemporaryFolder()
    authority = try TestAuthority(in: folder)
  }

  private func faults(
    _ names: [String], publicURL: String = "https://auth.example.com", days: Double = 1,
    isBehindProxy: Bool = false
  ) throws -> [CertificateCheck.Fault] {
    let files = try authority.sign(names)
    return CertificateCheck(
      files: HTTPConfiguration.TLSFiles(
        certificatePath: files.certificate, keyPath: files.key),
      publicURL: publicURL, isBehindProxy: isBehindProxy,
      now: Date(timeIntervalSinceNow: days * Self.day)
    ).faults()
  }

  @Test(arguments: [
    ("auth.example.com", ["DNS:auth.example.com"]), ("AUTH.example.com", ["DNS:auth.example.com"]),
    ("auth.example.com", ["DNS:other.example", "DNS:*.example.com"]),
    ("192.0.2.1", ["IP:192.0.2.1"]), ("[2001:db8::1]", ["IP:2001:db8::1"]),
  ])
  func `takes a name, a star for one label, and an address`(
    _ host: String, _ names: [String]
  ) throws {
    #expect(try faults(names, publicURL: "https://\(host):8443/auth") == [])
  }

  @Test(arguments: [
    ("auth.example.com", ["DNS:example.com"]), ("example.com", ["DNS:*.example.com"]),
    ("a.b.example.com", ["DNS:*.example.com"]), ("192.0.2.1", ["IP:192.0.2.2"]),
    ("192.0.2.1", ["DNS:192.0.2.1"]), ("auth.example.com.evil.example", ["DNS:auth.example.com"]),
  ])
  func `finds a certificate for other names`(_ host: String, _ names: [String]) throws {
    let found = try faults(names, publicURL: "https://\(host)")
    try #require(found.count == 1)
    #expect(found[0].severity == .error && found[0].name == "certificate")
    #expect(found[0].text.contains("publicURL has the host \(host)"), "\(found[0].text)")
    let behind = try faults(names, publicURL: "https://\(host)", isBehindProxy: true)
    #expect(behind.map(\.severity) == [.warning])
  }

  @Test func `finds a certificate that is over, and one that is not valid yet`() throws {
    let names = ["DNS:auth.example.com"]
    let over = try faults(names, days: 31)
    #expect(over.count == 1 && over[0].text.contains("is over since"), "\(over)")
    let early = try faults(names, days: -1)
    #expect(early.count == 1 && early[0].text.contains("is not valid before"), "\(early)")
    #expect(early[0].remedy.contains("clock"))
  }

  @Test func `config check and doctor name field, file and remedy`() throws {
    let own = try authority.sign(["DNS:auth.example.com"])
    let other = try authority.sign(["DNS:auth.example.com"], to: "other")
    let cases: [(certificate: String, key: String, host: String, field: String, text: String)] = [
      (own.certificate, other.key, "auth.example.com", "tls.key", "\(other.key) does not match"),
      (own.certificate, own.certificate, "auth.example.com", "tls.key", "has no private key"),
      (own.key, own.key, "auth.example.com", "tls.certificate", "has no certificate as PEM"),
      (
        own.certificate, own.key, "login.example.com", "tls.certificate",
        "\(own.certificate) is for only auth.example.com"
      ),
    ]
    chmod(own.certificate, 0o600)
    for item in cases {
      let outcome = try check(item.certificate, item.key, host: item.host)
      #expect(outcome.check.status == 1, "\(item)")
      #expect(
        outcome.check.output.contains("authgraph.yaml:3: \(item.field): "),
        "\(outcome.check.output)")
      #expect(outcome.check.output.contains(item.text), "\(outcome.check.output)")
      let wrong = outcome.doctor.filter { $0["check"] == "certificate" && $0["state"] == "wrong" }
      try #require(wrong.count == 1, "\(item)")
      #expect(wrong[0]["text"]?.stringValue?.contains(item.text) == true, "\(wrong)")
      #expect(wrong[0]["text"]?.stringValue?.hasPrefix(item.field) == true, "\(wrong)")
    }
    let good = try check(own.certificate, own.key, host: "auth.example.com")
    #expect(good.check.status == 0 && good.check.output.hasSuffix("ok\n"), "\(good.check.output)")
    #expect(good.doctor.contains { $0["check"] == "certificate" && $0["state"] == "ok" })
  }

  private func check(
    _ certificate: String, _ key: String, host: String
  ) throws -> (check: Program.Outcome, doctor: [JSONValue]) {
    let file = try folder.write(
      "authgraph.yaml",
      """
      publicURL: https://\(host)
      store: sqlite:accounts.db
      tls: { certificate: \(certificate), key: \(key) }
      apiKeys: [a-key]

      """)
    let environment = ["AUTHGRAPH_STORE": ""]
    let doctor = try Program.run(
      ["doctor", "--config", file, "--json"], in: folder, environment: environment)
    guard case .array(let all) = try JSONValue(text: doctor.output) else {
      throw Failed(description: doctor.output + doctor.errors)
    }
    return (
      try Program.run(["config", "check", file], in: folder, environment: environment), all
    )
  }
}
