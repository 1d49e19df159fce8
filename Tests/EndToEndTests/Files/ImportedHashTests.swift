import Foundation
import Testing
import TestSupport

/// Passwords from `authgraph import` sign in over HTTP, with any hash.
@Suite struct `Imported password hashes` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes a file of accounts and one of hash parameters for each way of hashing, with Python's hashlib and hmac.
  ///
  /// Prints the number of each, and whether the password of its account is right.
  private static let maker = """
    import base64, hashlib, hmac, json
    password, salt, key = b"correct horse", b"NaCl", b"the key of a project"
    digests = {"SHA1": "sha1", "SHA256": "sha256", "SHA512": "sha512", "MD5": "md5"}
    number = 0
    def text(data): return base64.b64encode(data).decode()
    def digest(name, rounds, message):
        for _ in range(max(1, rounds)): message = hashlib.new(name, message).digest()
        return message
    def write(parameters, hash, expected):
        global number
        number += 1
        uid = "u%03d" % number
        user = {"localId": uid, "email": uid + "@example.com", "salt": text(salt), "passwordHash": hash}
        json.dump({"users": [user]}, open("users-%d.json" % number, "w"))
        json.dump(parameters, open("hash-%d.json" % number, "w"))
        print(number, "right" if expected else "wrong")
    orders = [({}, [True, False]), ({"hash-input-order": "UNSPECIFIED_ORDER"}, [True, False]),
              ({"hash-input-order": "SALT_FIRST"}, [True]),
              ({"hash-input-order": "PASSWORD_AND_SALT"}, [False])]
    for order, taken in orders:
        for saltFirst in [True, False]:
            message = salt + password if saltFirst else password + salt
            for name, function in digests.items():
                rounds = 0 if name == "MD5" else 3
                made = digest(function, rounds, message)
                write({"hash-algo": name, "rounds": rounds, **order}, text(made), saltFirst in taken)
                mac = hmac.new(key, message, function).digest()
                write({"hash-algo": "HMAC_" + name, "hash-key": text(key), **order}, text(mac), saltFirst in taken)
    hex = hashlib.md5(salt + password).hexdigest()
    write({"hash-algo": "MD5", "rounds": 0}, hex, True)
    write({"hash-algo": "MD5", "rounds": 0}, text(hex.encode()), True)
    """

  @Test func `every order of salt and password signs in as the file's parameters say`()
    async throws
  {
    let folder = folder
    try await blocking {
      let made = try Self.python(Self.maker, in: folder)
      let cases = made.split(separator: "\n").map { $0.split(separator: " ") }
      #expect(cases.count == 66)
      for line in cases {
        let outcome = try Program.run(
          [
            "import", "\(folder.path)/users-\(line[0]).json", "--hash-parameters",
            "\(folder.path)/hash-\(line[0]).json",
          ], in: folder)
        #expect(outcome.output == "1 imported, 0 refused\n", "\(outcome.errors)")
      }
      let configuration = try folder.write(
        "authgraph.yaml",
        "publicURL: http://127.0.0.1:9099\nstore: sqlite:accounts.db\napiKeys: [first-key]\n"
          + "listen: { port: 0 }\n")
      let server = try RunningServer(["--config", configuration], in: folder)
      for line in cases {
        let uid = String(format: "u%03d", Int(line[0]) ?? 0)
        let body = #"{"email":"\#(uid)@example.com","password":"correct horse"}"#
        let parameters = try folder.read("hash-\(line[0]).json")
        let reply = try server.get(
          "/v1/accounts:signInWithPassword?key=first-key",
          ["-H", "Content-Type: application/json", "-d", body])
        #expect(reply.status == (line[1] == "right" ? 200 : 400), "\(parameters) \(reply.body)")
      }
      #expect(try server.end(by: SIGTERM).status == 0)
      // After the sign-in the hash is of our own kind.
      let export = try Program.run(["export"], in: folder).output
      let own = Data("$argon2id$".utf8).base64EncodedString().prefix(12)
      let rights = cases.filter { $0[1] == "right" }.count
      #expect(export.components(separatedBy: "\"passwordHash\":\"\(own)").count - 1 == rights)
    }
  }

  private static func python(_ source: String, in folder: TemporaryFolder) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", source]
    process.currentDirectoryURL = URL(filePath: folder.path)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(description: "python failed") }
    return String(decoding: output, as: UTF8.self)
  }
}
