import AuthCore
import Foundation
import TestSupport
import Testing

/// `--ca`: servers with a certificate of an authority that the system does not know.
@Suite(.enabled(if: TestAuthority.isThere)) struct `The option --ca` {
  private let folder: TemporaryFolder
  private let authority: TestAuthority

  init() throws {
    folder = try TemporaryFolder()
    authority = try TestAuthority(in: folder)
    try authority.sign(["DNS:localhost", "IP:127.0.0.1"])
  }

  private func server() throws -> RunningServer {
    let file = try folder.write(
      "authgraph.yaml",
      """
      compat: emulator
      publicURL: https://localhost:9099
      listen: { port: 0 }
      tls: { certificate: server.pem, key: server.key }

      """)
    return try RunningServer(["--config", file], in: folder)
  }

  /// Runs a command without the store that other tests set in the environment.
  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(
      arguments, in: folder, environment: ["AUTHGRAPH_STORE": "", "AUTHGRAPH_TOKEN": "owner"])
  }

  private static func commands(_ address: String) -> [[String]] {
    [
      ["conformance", "--url", address, "--only", "accounts:delete"],
      ["console", "--server", address, "--project", "demo-project", "-e", "return 1 + 1"],
    ]
  }

  @Test func `has conformance and console trust a server of that authority alone`() async throws {
    let other = try TestAuthority(in: folder, name: "other")
    try await blocking { [self] in
      let server = try server()
      // By its name and by its address: both are checked.
      for host in ["localhost", "127.0.0.1"] {
        let address = server.address.replacing("127.0.0.1", with: host)
        for command in Self.commands(address) {
          let trusted = try run(command + ["--ca", authority.certificate])
          #expect(trusted.status == 0, "\(command)\n\(trusted.output)\(trusted.errors)")
          for stranger in [[], ["--ca", other.certificate]] {
            let refused = try run(command + stranger)
            #expect(refused.status == 1, "\(command) \(stranger)")
            #expect(
              refused.errors.contains("The certificate of \(host) is not trusted."),
              "\(refused.errors)")
          }
        }
      }
    }
  }

  @Test func `attack: a certificate for another name is refused`() async throws {
    try authority.sign(["DNS:other.example"])
    try await blocking { [self] in
      let server = try server()
      for command in Self.commands(server.address.replacing("127.0.0.1", with: "localhost")) {
        let refused = try run(command + ["--ca", authority.certificate])
        #expect(refused.status == 1, "\(command)")
        #expect(refused.errors.contains("is not trusted"), "\(refused.errors)")
      }
    }
  }

  @Test func `names itself if its file is missing, or holds no certificate`() throws {
    let text = try folder.write("text.pem", "no certificate")
    let key = "\(folder.path)/server.key"
    let bundle = "\(folder.path)/bundle.agplugin"
    for command in Self.commands("https://localhost:1") + [
      ["run", "--server", "https://localhost:1", text],
      ["doctor"], ["plugin", "install", "https://localhost/x", "--key", Self.publicKey],
    ] {
      // Options of authgraph run stand before the script.
      func with(_ file: String) -> [String] {
        command[0] == "run"
          ? [command[0], "--ca", file] + command.dropFirst() : command + ["--ca", file]
      }
      let missing = try run(with(bundle))
      #expect(missing.status == 1 && missing.errors.contains("(ca)"), "\(command)")
      #expect(missing.errors.contains("of --ca cannot be read"), "\(missing.errors)")
      for file in [text, key] {
        let wrong = try run(with(file))
        #expect(wrong.status == 1 && wrong.errors.contains("(ca)"), "\(command)")
        #expect(wrong.errors.contains("\(file) of --ca holds no certificate"), "\(wrong.errors)")
      }
    }
  }

  private static let publicKey = "ed25519:\(Data(repeating: 1, count: 32).base64EncodedString())"

  @Test func `is refused where it has no effect`() throws {
    for command in [
      ["conformance", "--url", "http://127.0.0.1:1"],
      ["console", "--server", "http://127.0.0.1:1", "-e", "return 1"],
    ] {
      let outcome = try run(command + ["--ca", authority.certificate])
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("has no TLS, so --ca has no effect"), "\(outcome.errors)")
    }
    let local = try run(["console", "--ca", authority.certificate, "-e", "return 1"])
    #expect(local.status == 1 && local.errors.contains("There is no --server"))
  }
}
