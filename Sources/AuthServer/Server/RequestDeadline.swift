import NIOCore
import NIOHTTPTypes

/// Closes a connection whose request does not arrive whole in time, however busily it trickles, and one whose
/// peer does not take its answer.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limit: TimeAmount
  private var reading: Scheduled<Void>?
  private var writing: Scheduled<Void>?

  init(seconds: Int64) {
    limit = .seconds(seconds)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    // After a handshake the connection has long been there.
    if context.channel.isActive { reading = deadline(context, replacing: reading) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    reading?.cancel()
    writing?.cancel()
  }

  func channelActive(context: ChannelHandlerContext) {
    reading = deadline(context, replacing: reading)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      reading = deadline(context, replacing: reading)
    case .body: break
    case .end:
      reading?.cancel()
      reading = nil
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head:
      writing = deadline(context, replacing: writing)
      context.write(data, promise: promise)
    case .body:
      context.write(data, promise: promise)
    case .end:
      // The end is written once the system took everything before it.
      let promise = promise ?? context.eventLoop.makePromise()
      let written = writing
      promise.futureResult.whenComplete { _ in written?.cancel() }
      context.write(data, promise: promise)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    reading?.cancel()
    writing?.cancel()
    context.fireChannelInactive()
  }

  private func deadline(
    _ context: ChannelHandlerContext, replacing old: Scheduled<Void>?
  ) -> Scheduled<Void> {
    old?.cancel()
    let channel = context.channel
    return context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
  }
}
