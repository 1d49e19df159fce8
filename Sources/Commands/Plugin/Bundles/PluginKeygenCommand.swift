import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import LuaPlugins

/// `authgraph plugin keygen`: makes a key that signs bundles.
struct PluginKeygenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keygen",
    abstract: "Make an Ed25519 key that signs bundles, and print its public key.",
    discussion: "The file has mode 0600. An existing file is not overwritten.")

  @Argument(help: "The new file of the secret key.")
  var file: String

  func run() throws {
    try reportingErrors(asJSON: false) {
      let key = BundleSigningKey()
      let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw AuthError(
          .invalidArgument,
          "The key \(file) cannot be written: \(String(cString: strerror(errno))).",
          field: "file", remedy: "Name a new file in a folder that exists.")
      }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try handle.write(contentsOf: Data(key.fileText.utf8))
      try StandardStreams.print("\(key.publicKey)")
    }
  }
}
