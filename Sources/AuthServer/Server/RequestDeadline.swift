import NIOCore
import NIOHTTPTypes

/// A time limit for a connection: the whole request has to arrive in time, even if it trickles, and the peer has to
/// take its answer in time.
///
/// A single timer serves all requests of a connection, because a timer for each would almost always be cancelled.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limit: TimeAmount
  /// The deadline for the request to arrive; nil if none is arriving.
  private var reading: NIODeadline?
  /// The deadline for the answer to be taken; nil if none is being sent.
  private var writing: NIODeadline?
  /// The timer of the next check, never later than the earlier deadline.
  private var timer: Scheduled<Void>?

  init(seconds: Int64) {
    limit = .seconds(seconds)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    // If a handshake came first, the connection is active already.
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
      // The end is written once the system has accepted everything before it.
      let promise = promise ?? context.eventLoop.makePromise()
      let written = writing
      promise.futureResult.assumeIsolated().whenComplete { _ in
        // The next answer may have begun.
        if self.writing == written { self.writing = nil }
      }
      context.write(data, promise: promise)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  /// Returns the deadline of something that begins now, and starts the timer if necessary.
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
