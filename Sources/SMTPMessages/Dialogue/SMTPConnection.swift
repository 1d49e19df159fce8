import AuthValues
import NIOCore
import NIOPosix
import NIOSSL

/// One connection to a mail server, from connecting to quitting.
struct SMTPConnection {
  let configuration: SMTPConfiguration

  /// Connects and holds a dialogue.
  ///
  /// Throws the dialogue's error, or `network-request-failed`.
  func run(_ dialogue: SMTPDialogue) async throws {
    do {
      try await hold(dialogue)
    } catch let error as AuthError {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      throw AuthError(
        .networkRequestFailed, "The mail server \(configuration.host) \(Self.reason(error)).",
        remedy: "Check host, port and protection of the mail server, and that it runs.",
        step: .credential, cause: error)
    }
  }

  private func hold(_ dialogue: SMTPDialogue) async throws {
    let group = MultiThreadedEventLoopGroup.singleton
    let security = try configuration.protection == .none ? nil : security()
    let isImplicit = configuration.protection == .tls
    let timeout = TimeAmount(configuration.timeout)
    let end = group.next().makePromise(of: Void.self)
    let bootstrap = ClientBootstrap(group: end.futureResult.eventLoop)
      .connectTimeout(timeout)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if isImplicit, let security {
            try channel.pipeline.syncOperations.addHandler(try security.handler())
          }
          try channel.pipeline.syncOperations.addHandler(
            SMTPHandler(dialogue, security: security, end: end, timeout: timeout))
        }
      }
    do {
      let channel = try await bootstrap.connect(host: configuration.host, port: configuration.port)
        .get()
      try await withTaskCancellationHandler {
        try await end.futureResult.get()
      } onCancel: {
        channel.close(promise: nil)
      }
    } catch {
      // Fails the promise if it is still open; a completed promise stays as it is.
      end.fail(error)
      try Task.checkCancellation()
      throw error
    }
  }

  private func security() throws -> SMTPSecurity {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = .tlsv12
    if let pem = configuration.trustedCertificates {
      tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)))
    }
    return SMTPSecurity(context: try NIOSSLContext(configuration: tls), host: configuration.host)
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case SMTPHandler.Failure.timedOut, ChannelError.connectTimeout: "took too long"
    case SMTPHandler.Failure.closed: "closed the connection"
    case SMTPHandler.Failure.plainAfterSTARTTLS:
      "sent something between STARTTLS and TLS, as an attacker on the way might"
    case is SMTPReplyReader.Malformed: "does not speak SMTP"
    case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
      "could not be reached safely: TLS failed"
    default: "could not be reached"
    }
  }
}

/// The TLS context of a connection.
struct SMTPSecurity: Sendable {
  let context: NIOSSLContext
  let host: String

  func handler() throws -> NIOSSLClientHandler {
    // A certificate for an address is checked against the connection's own address; there is no name to check.
    let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
    return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
  }
}

/// Performs the actions of a dialogue.
private final class SMTPHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  enum Failure: Error {
    case timedOut, closed, plainAfterSTARTTLS
  }

  private var dialogue: SMTPDialogue
  private var reader = SMTPReplyReader()
  private let security: SMTPSecurity?
  private let end: EventLoopPromise<Void>
  private let timeout: TimeAmount
  private var alarm: Scheduled<Void>?
  private var isOver = false

  init(
    _ dialogue: SMTPDialogue, security: SMTPSecurity?, end: EventLoopPromise<Void>,
    timeout: TimeAmount
  ) {
    self.dialogue = dialogue
    self.security = security
    self.end = end
    self.timeout = timeout
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    alarm = context.eventLoop.scheduleTask(in: timeout) {
      let (handler, context) = bound.value
      handler.fail(Failure.timedOut, context)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return }
    do {
      try reader.append(unwrapInboundIn(data).readableBytesView)
      while !isOver, let reply = try reader.next() {
        try carryOut(try dialogue.take(reply), context)
      }
    } catch {
      fail(error, context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(Failure.closed, context)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail(error, context)
  }

  private func carryOut(_ action: SMTPDialogue.Action, _ context: ChannelHandlerContext) throws {
    switch action {
    case .send(let line):
      write(line, context)
    case .startTLS(let line):
      // Bytes that came in one piece with the answer were never protected, and must not be taken for bytes under
      // TLS; later bytes reach the TLS handler.
      guard let security, !reader.hasRest else { throw Failure.plainAfterSTARTTLS }
      try context.pipeline.syncOperations.addHandler(try security.handler(), position: .first)
      write(line, context)
    case .finish(let line):
      isOver = true
      alarm?.cancel()
      write(line, context)
      end.succeed()
      context.close(promise: nil)
    }
  }

  private func write(_ line: String, _ context: ChannelHandlerContext) {
    context.writeAndFlush(
      wrapOutboundOut(context.channel.allocator.buffer(string: line + "\r\n")), promise: nil)
  }

  private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
    guard !isOver else { return }
    isOver = true
    alarm?.cancel()
    end.fail(error)
    context.close(promise: nil)
  }
}
