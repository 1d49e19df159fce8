import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// A check of the `Host` field in HTTP/1.1: exactly one valid field is required (RFC 9112, section 3.2).
///
/// It runs before header fields are joined and the first `Host` becomes the authority. HTTP/2 does not need it,
/// because its requests name their authority.
final class HostCheck: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart

  private var isOver = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Data after an invalid head belongs to no request.
    guard !isOver else { return }
    if case .head(let head) = unwrapInboundIn(data), !Self.isSound(head) {
      isOver = true
      context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
      return
    }
    context.fireChannelRead(data)
  }

  private static func isSound(_ head: HTTPRequestHead) -> Bool {
    let hosts = head.headers["host"]
    guard let host = hosts.first else { return head.version == .http1_0 }
    return hosts.count == 1 && host.utf8.allSatisfy(isOfHost)
  }

  /// Returns true for a character of a name, an address or a port (RFC 3986, section 3.2).
  private static func isOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~%!$&'()*+,;=:[]".utf8.contains(byte)
    }
  }
}

/// A handler that inserts a `HostCheck` before HTTP/1 heads are converted.
final class HostChecking: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    guard let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
    do {
      try pipeline.addHandler(HostCheck(), position: .before(codec))
    } catch {
      context.fireErrorCaught(error)
    }
  }
}
