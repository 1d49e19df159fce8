import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Refuses requests of HTTP/1.1 without exactly one sound `Host` field (RFC 9112 3.2), before the fields are
/// joined and the first `Host` becomes the authority.
///
/// It is of no use for HTTP/2, whose requests name their authority.
final class HostCheck: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart

  private var isOver = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // What follows a faulty head belongs to nothing.
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

  /// The characters of a name, an address or a port (RFC 3986 3.2).
  private static func isOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~%!$&'()*+,;=:[]".utf8.contains(byte)
    }
  }
}

/// Puts a `HostCheck` where heads of HTTP/1 are still whole.
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
