import AuthCore
import Foundation
import Synchronization
import TestSupport

/// An independent mail server, Python's aiosmtpd, in its own process.
final class RealMailServer: Sendable {
  enum Protection: String {
    case none, starttls, tls
  }

  let port: Int
  /// The certificate to trust, which names `localhost` and 127.0.0.1.
  let certificate: String
  private let process: Process
  private let lines: Lines

  /// Starts the server; its account is `ada` with the password `s3cret-Wörd`.
  init(_ protection: Protection, asksForSignIn: Bool = false, methods: String = "") throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mail-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try runProgram(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
        "30", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
        "-keyout", "\(folder)/key.pem", "-out", "\(folder)/certificate.pem",
      ])
    certificate = try String(contentsOfFile: "\(folder)/certificate.pem", encoding: .utf8)
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [
      "-u", "-W", "ignore", "-c", Self.script, folder, protection.rawValue,
      asksForSignIn ? "yes" : "no", methods,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    lines = Lines(output.fileHandleForReading)
    let first = try lines.next()
    guard case .integer(let port)? = first["port"] else { throw Failed(description: first.text) }
    self.port = Int(port)
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// The next message that arrived, as Python's mail library parsed it.
  func next() throws -> JSONValue { try lines.next() }

  private static let script = """
    import asyncio, email, email.policy, json, ssl, sys
    from aiosmtpd.smtp import SMTP, AuthResult

    folder, protection, asks, methods = sys.argv[1:5]
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(folder + "/certificate.pem", folder + "/key.pem")

    class Handler:
        async def handle_DATA(self, server, session, envelope):
            message = email.message_from_bytes(envelope.original_content, policy=email.policy.default)
            parts = {part.get_content_type(): part.get_content() for part in message.iter_parts()}
            print(json.dumps({
                "from": envelope.mail_from, "to": envelope.rcpt_tos, "tls": session.ssl is not None
                    or protection == "tls", "user": session.auth_data,
                "headers": {name.lower(): str(value) for name, value in message.items()},
                "names": [name for name, value in message.items()],
                "defects": [str(defect) for defect in message.defects],
                "plain": parts.get("text/plain"), "html": parts.get("text/html"),
                "options": envelope.mail_options,
                "raw": envelope.original_content.decode("utf-8"),
            }), flush=True)
            return "250 Taken"

    def authenticator(server, session, envelope, mechanism, data):
        good = data.login == b"ada" and data.password == "s3cret-Wörd".encode()
        return AuthResult(success=good, auth_data=mechanism + " ada", handled=False)

    async def main():
        def factory():
            return SMTP(Handler(), hostname="mail.example", enable_SMTPUTF8=True,
                tls_context=tls if protection == "starttls" else None,
                require_starttls=protection == "starttls", auth_required=asks == "yes",
                auth_require_tls=protection == "starttls", authenticator=authenticator,
                auth_exclude_mechanism=methods.split(",") if methods else [])
        server = await asyncio.get_running_loop().create_server(
            factory, "127.0.0.1", 0, ssl=tls if protection == "tls" else None)
        print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
        await server.serve_forever()

    asyncio.run(main())
    """
}

/// Lines of JSON from a pipe.
private final class Lines: Sendable {
  private let handle: Mutex<(FileHandle, Data)>

  init(_ file: FileHandle) {
    handle = Mutex((file, Data()))
  }

  func next() throws -> JSONValue {
    try handle.withLock { state in
      while true {
        if let end = state.1.firstIndex(of: UInt8(ascii: "\n")) {
          let line = state.1[..<end]
          state.1 = Data(state.1[state.1.index(after: end)...])
          return try JSONValue(text: String(decoding: line, as: UTF8.self))
        }
        let bytes = state.0.availableData
        guard !bytes.isEmpty else {
          throw Failed(description: "the mail server ended by itself")
        }
        state.1 += bytes
      }
    }
  }
}
