import HummingbirdCore
import Logging
import NIOCore

/// Connections as the server takes them: counted by address, read in small pieces, and served by their event loop.
struct Door<Connections: ServerChildChannel>: ServerChildChannel {
  let connections: Connections
  /// Nil if an address may have any number.
  let counts: ConnectionCounts?

  /// The most bytes that one read of a socket gives; several reads are held before a request is looked at.
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
