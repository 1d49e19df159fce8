import Foundation
import IdentityToolkitService
import Logging
import NIOConcurrencyHelpers
import NIOCore

/// The number of open connections by address, with a limit.
final class ConnectionCounts: Sendable {
  private struct State {
    var counts: [String: Int] = [:]
    var saidAt: ContinuousClock.Instant?
  }

  private let limit: Int
  private let settings: LiveSettings
  private let logger: Logger
  private let state = NIOLockedValueBox(State())

  /// The minimum time between two log entries about closed connections.
  private static let pause = Duration.seconds(60)

  /// Makes a counter.
  ///
  /// It does not count addresses of trusted proxies, each of which carries many clients.
  init(limit: Int, settings: LiveSettings, logger: Logger) {
    self.limit = limit
    self.settings = settings
    self.logger = logger
  }

  /// Counts a new connection of an address.
  ///
  /// Returns the name under which it is counted, or nil if it is not.
  ///
  /// Throws if the address has reached its limit.
  func open(_ address: String) throws(TooManyConnections) -> String? {
    guard !ClientAddress.isTrusted(address, settings.current.trustedNetworks) else { return nil }
    let name = ClientAddress.countedAs(address)
    let isTaken = state.withLockedValue { state in
      let count = state.counts[name] ?? 0
      guard count < limit else { return false }
      state.counts[name] = count + 1
      return true
    }
    guard isTaken else {
      report(address)
      throw TooManyConnections()
    }
    return name
  }

  func close(_ name: String) {
    state.withLockedValue { state in
      state.counts[name] = state.counts[name].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }

  private func report(_ address: String) {
    let now = ContinuousClock.now
    let isDue = state.withLockedValue { state in
      guard state.saidAt.map({ now - $0 >= Self.pause }) ?? true else { return false }
      state.saidAt = now
      return true
    }
    guard isDue else { return }
    logger.warning(
      "Connections are closed: one address has as many as it may. Name proxies in trustedProxies.",
      metadata: ["address": "\(address)", "limit": "\(limit)"])
  }
}

struct TooManyConnections: Error {}

/// A handler that counts a connection from before its first read to its end.
final class ConnectionCounting: ChannelInboundHandler {
  typealias InboundIn = NIOAny

  private let counts: ConnectionCounts
  private var name: String?

  init(_ counts: ConnectionCounts) {
    self.counts = counts
  }

  func channelActive(context: ChannelHandlerContext) {
    do {
      // A connection that is closed already has no address.
      name = try context.remoteAddress?.ipAddress.flatMap { try counts.open($0) }
      context.fireChannelActive()
    } catch {
      context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let name { counts.close(name) }
    name = nil
    context.fireChannelInactive()
  }
}
