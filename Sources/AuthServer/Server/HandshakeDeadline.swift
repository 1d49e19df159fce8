import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// TLS connections that are closed if no decrypted data arrives in time.
struct TimelyHandshakes<Connections: ServerChildChannel>: ServerChildChannel {
  let connections: Connections
  let seconds: Int64

  func setup(
    channel: any Channel, logger: Logger
  ) -> EventLoopFuture<Connections.Value> {
    let prepared = connections.setup(channel: channel, logger: logger)
    return channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
      try pipeline.addHandler(HandshakeDeadline(seconds: seconds), position: .after(tls))
    }.flatMap { prepared }
  }

  func handle(value: Connections.Value, logger: Logger) async {
    await connections.handle(value: value, logger: logger)
  }
}

/// A handler that closes a TLS connection if no decrypted data arrives within the time limit.
private final class HandshakeDeadline: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let limit: TimeAmount
  private var deadline: Scheduled<Void>?

  init(seconds: Int64) {
    limit = .seconds(seconds)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    deadline?.cancel()
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }
}
