import AuthCore
import AuthServer
import IdentityToolkitService

extension Configuration {
  /// Returns the certificate for connections; throws `invalid-argument` if its files are not valid.
  func certificate() throws(AuthError) -> ServerCertificate? {
    guard let tls else { return nil }
    do {
      return try ServerCertificate(tls)
    } catch {
      throw AuthError(
        .invalidArgument,
        "\(tls.certificatePath) and \(tls.keyPath) are not a certificate and its private key.",
        field: "tls", remedy: "Give a chain and its private key, both as PEM.", cause: error)
    }
  }
}
