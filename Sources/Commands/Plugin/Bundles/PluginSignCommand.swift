import AdminConsole
import ArgumentParser
import AuthCore
import LuaPlugins

/// `authgraph plugin sign`: adds a signature to a bundle.
struct PluginSignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Sign a bundle with a key of plugin keygen.",
    discussion: "The signature is written into the bundle, beside those of other keys.")

  @Option(help: ArgumentHelp("The file of the secret key.", valueName: "file"))
  var key: String

  @Argument(help: "The bundle.", completion: .file(extensions: ["plugin"]))
  var bundle: String

  func run() throws {
    try reportingErrors(asJSON: false) {
      if SecretFile.isOpenToOthers(key) {
        StandardStreams.warn("\(key) can be read by others. Run: chmod 600 \(key)")
      }
      let signing = try BundleSigningKey(fileText: try InputFile.text(of: key, field: "key"))
      var signed = try PluginBundle(path: bundle)
      try signed.sign(with: signing)
      try BundleFile.write(signed, to: bundle)
      try StandardStreams.print(
        "\(bundle) is signed with \(signing.publicKey), \(signed.digest)")
    }
  }
}
