import HummingbirdCore
import Logging
import NIOCore

/// The server's connections: counted by address, read in small pieces, and handled on their event loop.
struct Door<Connections: ServerChildChannel>: ServerChildChannel {
  let connections: Connections
  /// The counter by address; nil if there is no limit.
  let counts: ConnectionCounts?

  /// The maximum number of bytes of one socket read.
  ///
  /// Several reads are buffered before a request is handled.
  private static var piece: Int { 16 * 1024 }

  func setup(
    channel: any Channel, logger: Logger
  ) -> EventLoopFuture<Connections.Value> {
    do {
      try channel.syncOptions?.setOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: Self.piece))
      if let counts {
        try channel.pipeline.syncOperations.addHandler(ConnectionCounting(counts))
      }
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    return connections.setup(channel: channel, logger: logger)
  }

  func handle(value: Connections.Value, logger: Logger) async {
    await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
      await connections.handle(value: value, logger: logger)
    }
  }
}
