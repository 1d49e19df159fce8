import NIOCore
import NIOPosix
import Synchronization

/// A mail server whose answers a test decides, and which records the lines it receives.
final class HostileMailServer: Sendable {
  /// The answers by the beginning of a line; an empty text stays silent, `close` closes the connection.
  typealias Answers = [(to: String, text: String)]

  static let close = "\u{0}close"

  let port: Int
  private let channel: any Channel
  private let heard: Box

  final class Box: Sendable {
    let lines = Mutex<[String]>([])
  }

  init(greeting: String = "220 mail.example\r\n", _ answers: Answers) async throws {
    let box = Box()
    heard = box
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            Handler(greeting: greeting, answers: answers, heard: box))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  deinit {
    channel.close(promise: nil)
  }

  /// Every received line, in order.
  var lines: [String] { heard.lines.withLock { $0 } }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let greeting: String
    private let answers: Answers
    private let heard: Box
    private var rest = ""

    init(greeting: String, answers: Answers, heard: Box) {
      self.greeting = greeting
      self.answers = answers
      self.heard = heard
    }

    func channelActive(context: ChannelHandlerContext) {
      say(greeting, context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      rest += String(buffer: unwrapInboundIn(data))
      while let end = rest.range(of: "\r\n") {
        let line = String(rest[..<end.lowerBound])
        rest = String(rest[end.upperBound...])
        heard.lines.withLock { $0.append(line) }
        if let answer = answers.first(where: { line.hasPrefix($0.to) }) {
          say(answer.text, context)
        }
      }
    }

    private func say(_ text: String, _ context: ChannelHandlerContext) {
      guard text != HostileMailServer.close else { return context.close(promise: nil) }
      context.writeAndFlush(
        wrapOutboundOut(context.channel.allocator.buffer(string: text)), promise: nil)
    }
  }
}

extension String {
  fileprivate func range(of text: String) -> Range<Index>? {
    firstRange(of: text)
  }
}
