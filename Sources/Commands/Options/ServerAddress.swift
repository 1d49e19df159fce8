import AdminConsole
import AuthCore
import IdentityToolkitService

/// The address of a running server, as an option names it.
enum ServerAddress {
  /// Returns an address without slashes at its end.
  ///
  /// Throws `invalid-argument` for an address that is none, or for one without TLS unless it is this machine's.
  static func text(
    of text: String, field: String, allowsPlain: Bool
  ) throws(AuthError) -> String {
    let address = String(text.reversed().drop { $0 == "/" }.reversed())
    let isPlain = address.lowercased().hasPrefix("http://")
    guard isPlain || address.lowercased().hasPrefix("https://"), URLText.host(of: address) != nil,
      !address.contains(where: { "?#@".contains($0) })
    else {
      throw AuthError(
        .invalidArgument, "\"\(text)\" is not the address of a server.", field: field,
        remedy: "Write it like https://auth.example.com")
    }
    guard !isPlain || allowsPlain || LoopbackHost.isHost(ofURL: address) else {
      throw AuthError(
        .invalidArgument, "\(address) has no TLS: others could read the token and all accounts.",
        field: field,
        remedy: "Write https://, or add --insecure if the network is yours alone.")
    }
    return address
  }
}
