import Foundation
import TestSupport

/// A certificate authority of a test, made by openssl, and the certificates that it signs.
struct TestAuthority {
  private let folder: TemporaryFolder
  private let name: String

  /// True where openssl can sign with an authority in one step.
  static var isThere: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") }

  init(in folder: TemporaryFolder, name: String = "authority") throws {
    self.folder = folder
    self.name = name
    try Self.make(
      ["-subj", "/CN=\(name)"], certificate: "\(folder.path)/\(name).pem",
      key: "\(folder.path)/\(name).key")
  }

  /// The path of the authority's certificate.
  var certificate: String { "\(folder.path)/\(name).pem" }

  /// Writes a certificate and its key, for names such as `DNS:localhost`, and returns the paths.
  @discardableResult
  func sign(
    _ names: [String], to stem: String = "server"
  ) throws -> (certificate: String, key: String) {
    let files = ("\(folder.path)/\(stem).pem", "\(folder.path)/\(stem).key")
    try Self.make(
      [
        "-subj", "/CN=\(stem)", "-CA", certificate, "-CAkey", "\(folder.path)/\(name).key",
        "-addext", "subjectAltName=\(names.joined(separator: ","))",
      ], certificate: files.0, key: files.1)
    chmod(files.1, 0o600)
    return files
  }

  private static func make(
    _ arguments: [String], certificate: String, key: String
  ) throws {
    let openssl = Process()
    openssl.executableURL = URL(filePath: "/usr/bin/openssl")
    openssl.arguments =
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "30", "-keyout", key, "-out", certificate,
      ] + arguments
    openssl.standardInput = FileHandle.nullDevice
    openssl.standardOutput = FileHandle.nullDevice
    openssl.standardError = FileHandle.nullDevice
    try openssl.run()
    openssl.waitUntilExit()
    guard openssl.terminationStatus == 0 else {
      throw Failed(description: "openssl made no certificate")
    }
  }
}
