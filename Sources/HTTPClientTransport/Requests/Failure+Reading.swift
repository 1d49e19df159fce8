import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Failure {
  /// Converts an error of the client; the client's own texts may quote the request and are dropped.
  ///
  /// - Parameters:
  ///   - error: the client's error.
  ///   - hasHead: true if the answer had begun.
  init(_ error: any Error, hasHead: Bool) {
    switch error {
    case let failure as Failure: self = failure
    case let error as HTTPClientError: self = Self.reading(error, hasHead)
    case let error as IOError: self = Self.reading(error, hasHead)
    case is NIOConnectionError: self = .unreachable
    case ChannelError.connectTimeout: self = .connectTimeout
    case is ChannelError: self = hasHead ? .truncated : .noAnswer
    case HTTPParserError.invalidEOFState: self = hasHead ? .truncated : .noAnswer
    case is HTTPParserError: self = .malformedAnswer
    default: self = Self.readingByName(error, hasHead)
    }
  }

  private static func reading(_ error: HTTPClientError, _ hasHead: Bool) -> Failure {
    switch error {
    case .connectTimeout: .connectTimeout
    case .getConnectionFromPoolTimeout, .deadlineExceeded, .readTimeout, .writeTimeout: .timedOut
    case .remoteConnectionClosed, .uncleanShutdown: hasHead ? .truncated : .noAnswer
    case .tlsHandshakeTimeout: .handshake
    case .httpProxyHandshakeTimeout, .socksHandshakeTimeout, .invalidProxyResponse,
      .proxyAuthenticationRequired:
      .proxyRefused
    case .alreadyShutdown, .cancelled: .shutDown
    case .invalidURL, .emptyHost, .emptyScheme: .malformedURL
    default: .other
    }
  }

  private static func reading(_ error: IOError, _ hasHead: Bool) -> Failure {
    switch error.errnoCode {
    case ECONNREFUSED: .refused
    case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, ENETDOWN, EAFNOSUPPORT: .unreachable
    case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN: hasHead ? .truncated : .noAnswer
    case ETIMEDOUT: .timedOut
    default: .other
    }
  }

  /// Recognises the errors of TLS and SOCKS by the names of their types, whose modules are not imported here.
  private static func readingByName(_ error: any Error, _ hasHead: Bool) -> Failure {
    let type = String(reflecting: Swift.type(of: error))
    if type.hasPrefix("NIOSOCKS.") { return .proxyRefused }
    guard type.hasPrefix("NIOSSL.") else { return hasHead ? .malformedAnswer : .other }
    let text = String(reflecting: error)
    if text.contains("CERTIFICATE_VERIFY_FAILED") || type.hasSuffix("NIOSSLExtraError") {
      return .certificate
    }
    if text.contains("uncleanShutdown") { return hasHead ? .truncated : .noAnswer }
    return hasHead ? .truncated : .handshake
  }
}
