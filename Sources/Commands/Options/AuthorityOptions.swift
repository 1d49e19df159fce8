import AdminConsole
import ArgumentParser
import AuthCore
import HTTPClientTransport

/// The option of commands that reach a server over TLS.
struct AuthorityOptions: ParsableArguments {
  @Option(
    name: .customLong("ca"),
    help: ArgumentHelp(
      "The certificates, as PEM, of authorities to trust besides the system's.", valueName: "file"),
    completion: .file(extensions: ["pem", "crt"]))
  var authorities: String?

  private static let longestFile = 1 << 20

  /// Makes a transport that trusts the authorities of the file too.
  ///
  /// Throws `invalid-argument` for a file that cannot be read, or that holds no certificate.
  func transport() throws(AuthError) -> HTTPClientTransport {
    guard let authorities else { return HTTPClientTransport() }
    let bytes: [UInt8]
    do throws(InputFile.Unreadable) {
      bytes = try InputFile.bytes(of: authorities, atMost: Self.longestFile)
    } catch {
      throw AuthError(
        .invalidArgument, "The file \(authorities) of --ca cannot be read: \(error.reason).",
        field: "ca", remedy: "Check the path and its permissions.", cause: error)
    }
    guard bytes.count <= Self.longestFile, let trusted = CertificateAuthorities(pem: bytes) else {
      throw AuthError(
        .invalidArgument, "The file \(authorities) of --ca holds no certificate as PEM.",
        field: "ca",
        remedy: "Give the authority's certificate, which begins with -----BEGIN CERTIFICATE-----.")
    }
    return HTTPClientTransport(trusting: trusted)
  }

  /// Throws `invalid-argument` if the option is given for an address without TLS.
  func check(for address: String) throws(AuthError) {
    guard authorities != nil, !address.lowercased().hasPrefix("https://") else { return }
    throw AuthError(
      .invalidArgument, "\(address) has no TLS, so --ca has no effect.", field: "ca",
      remedy: "Write https://, or leave out --ca.")
  }
}
