import AuthValues

/// The reason for a failed request.
enum Failure: Error, Hashable {
  // The request is refused.
  case malformedURL, notHTTPS, userInfo, header, privateAddress
  // Nothing was sent.
  case unresolved, unreachable, refused, connectTimeout, certificate, handshake, proxyRefused
  case proxySettings, proxyUnreachable, shutDown
  // Some bytes may have been sent.
  case timedOut, noAnswer, truncated, malformedAnswer
  case tooLarge(limit: Int)
  case other

  /// True if another address of the same host may be tried, for any request.
  var leavesOtherAddresses: Bool {
    [.unreachable, .refused, .connectTimeout].contains(self)
  }

  /// True if a repeatable request is worth sending again.
  var isWorthRepeating: Bool { leavesOtherAddresses || self == .noAnswer }

  /// Makes an error whose text names the host and nothing else of the request.
  func error(host: String?) -> AuthError {
    let host = host ?? "The server"
    let (message, remedy) = words(host)
    let isInput = [.malformedURL, .notHTTPS, .userInfo].contains(self)
    return AuthError(
      .networkRequestFailed, message, field: isInput ? "url" : self == .header ? "headers" : nil,
      remedy: remedy)
  }

  private func words(_ host: String) -> (message: String, remedy: String) {
    switch self {
    case .malformedURL:
      (
        "The request's URL is malformed.",
        "Give an absolute https URL in ASCII, escaped if needed, and names in Punycode."
      )
    case .notHTTPS:
      (
        "\(host) was to be asked without TLS.",
        "Use https, or have an admin allow this host as a private one."
      )
    case .userInfo:
      (
        "The URL for \(host) holds a user name or a password.",
        "Take it out, and send an Authorization header."
      )
    case .header:
      (
        "A header of the request to \(host) cannot be sent.",
        "Leave out line breaks, and headers that the transport sets itself, as Host and Content-Length."
      )
    case .privateAddress:
      (
        "\(host) is, or has, a private address.",
        "Check the name; an admin can allow a private host in the provider's setting privateHosts."
      )
    case .unresolved: ("\(host) has no address.", "Check the name and the name server.")
    case .unreachable: ("\(host) cannot be reached from here.", "Check the network and the proxy.")
    case .refused: ("\(host) refused the connection.", "Check the port, and whether it runs.")
    case .connectTimeout:
      ("\(host) did not take the connection in time.", "Check the network, or try again later.")
    case .certificate:
      (
        "The certificate of \(host) is not trusted.",
        "Check the name, its expiry, and the certificate authorities of this machine."
      )
    case .handshake: ("\(host) speaks no TLS that is safe.", "Check the port and its TLS settings.")
    case .proxyRefused:
      ("The proxy did not connect to \(host).", "Check the proxy's rules and credentials.")
    case .proxyUnreachable:
      (
        "The proxy to reach \(host) through is not there.",
        "Check HTTPS_PROXY, and whether it runs."
      )
    case .proxySettings:
      (
        "The proxy to reach \(host) through cannot be used.",
        "Set HTTPS_PROXY to http://host:port or socks5://host:port, or unset it."
      )
    case .shutDown: ("The transport that was to ask \(host) is shut down.", "Make a new one.")
    case .timedOut: ("\(host) did not answer in time.", "Try again later.")
    case .noAnswer: ("\(host) closed the connection without an answer.", "Try again later.")
    case .truncated: ("\(host) closed the connection amid its answer.", "Try again later.")
    case .malformedAnswer:
      ("\(host) answered with something that is not HTTP.", "Check the port of the URL.")
    case .tooLarge(let limit):
      ("The answer of \(host) is larger than \(limit) bytes.", "Raise the limit, or ask for less.")
    case .other: ("The request to \(host) failed.", "Try again later.")
    }
  }
}
