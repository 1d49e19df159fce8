import NIOCore
import NIOHTTPTypes

/// Closes a connection whose request does not arrive whole in time, however busily it trickles, and one whose
/// peer does not take its answer.
///
/// One timer looks after all requests of a connection: those of each would be set, and soon cancelled, in vain.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limit: TimeAmount
  /// When the request has to be here; nil where none is on its way.
  private var reading: NIODeadline?
  /// When the answer has to be taken; nil where none is on its way.
  private var writing: NIODeadline?
  /// What looks next; never later than the first of these.
  private var timer: Scheduled<Void>?

  init(seconds: Int64) {
    limit = .seconds(seconds)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    // After a handshake the connection has long been there.
    if context.channel.isActive { reading = newDeadline(context) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
  }

  func channelActive(context: ChannelHandlerContext) {
    reading = newDeadline(context)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head: reading = newDeadline(context)
    case .body: break
    case .end: reading = nil
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head:
      writing = newDeadline(context)
      context.write(data, promise: promise)
    case .body:
      context.write(data, promise: promise)
    case .end:
      // The end is written once the system took everything before it.
      let promise = promise ?? context.eventLoop.makePromise()
      let written = writing
      promise.futureResult.assumeIsolated().whenComplete { _ in
        // The next answer may be on its way already.
        if self.writing == written { self.writing = nil }
      }
      context.write(data, promise: promise)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  /// Until when something that begins now may take, and sees to it that somebody looks then.
  private func newDeadline(_ context: ChannelHandlerContext) -> NIODeadline {
    let deadline = context.eventLoop.now + limit
    if timer == nil { look(at: deadline, context.channel) }
    return deadline
  }

  private func look(at time: NIODeadline, _ channel: any Channel) {
    timer = channel.eventLoop.assumeIsolated().scheduleTask(deadline: time) {
      self.timer = nil
      guard let next = [self.reading, self.writing].compactMap(\.self).min() else { return }
      if next <= channel.eventLoop.now {
        channel.close(promise: nil)
      } else {
        self.look(at: next, channel)
      }
    }
  }
}
