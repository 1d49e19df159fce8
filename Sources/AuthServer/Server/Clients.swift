import NIOConcurrencyHelpers
import NIOCore
import NIOHTTPTypes

/// The connected clients, so that work for a client that disconnects is cancelled.
final class Clients: Sendable {
  private let connected = NIOLockedValueBox<[ObjectIdentifier: Client]>([:])

  /// Runs work for the client of a channel, and cancels it if the client disconnects.
  func whileConnected<Value: Sendable>(
    _ channel: ObjectIdentifier, _ work: Task<Value, Never>
  ) async -> Value {
    let client = connected.withLockedValue { $0[channel] }
    client?.begin { work.cancel() }
    defer { client?.end() }
    return await work.value
  }

  /// Returns a handler that watches a channel: a connection in HTTP/1.1, a stream in HTTP/2.
  func watch() -> any RemovableChannelHandler {
    Watch(clients: self)
  }

  fileprivate func add(_ channel: any Channel) {
    let client = Client()
    connected.withLockedValue { $0[ObjectIdentifier(channel)] = client }
  }

  fileprivate func remove(_ channel: any Channel) {
    connected.withLockedValue { $0.removeValue(forKey: ObjectIdentifier(channel)) }?.leave()
  }

  /// Records that a client has closed its side, and so waits for no answer.
  fileprivate func gone(_ channel: any Channel) {
    connected.withLockedValue { $0[ObjectIdentifier(channel)] }?.leave()
  }
}

/// A client and its current work.
///
/// The requests of a connection are answered one after the other.
private final class Client: Sendable {
  private struct State {
    var isGone = false
    var cancel: (@Sendable () -> Void)?
  }

  private let state = NIOLockedValueBox(State())

  func begin(_ cancel: @escaping @Sendable () -> Void) {
    let isGone = state.withLockedValue { state in
      state.cancel = cancel
      return state.isGone
    }
    if isGone { cancel() }
  }

  func end() {
    state.withLockedValue { $0.cancel = nil }
  }

  func leave() {
    let cancel = state.withLockedValue { state in
      state.isGone = true
      return state.cancel
    }
    cancel?()
  }
}

/// A handler that reports when the client of a channel disconnects.
private final class Watch: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart

  private let clients: Clients

  init(clients: Clients) {
    self.clients = clients
  }

  func handlerAdded(context: ChannelHandlerContext) { clients.add(context.channel) }

  func handlerRemoved(context: ChannelHandlerContext) { clients.remove(context.channel) }

  func channelInactive(context: ChannelHandlerContext) {
    clients.remove(context.channel)
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent { clients.gone(context.channel) }
    context.fireUserInboundEventTriggered(event)
  }
}
