import AuthTesting
import Foundation
import Synchronization

/// A way to a server that passes bytes on, and on request answers nobody who comes later.
final class SlowWay: Sendable {
  private let listener: Int32
  private let port: Int
  private let target: Int
  private let state = Mutex((isHolding: false, held: 0))

  init(to target: Int) throws {
    self.target = target
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = Self.place(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let status = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) == 0 && listen(descriptor, 64) == 0
          ? getsockname(descriptor, address, &size) : -1
      }
    }
    guard status == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    port = Int(UInt16(bigEndian: place.sin_port))
    Thread.detachNewThread { [weak self, listener] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, let self else { return }
        self.take(client)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  var url: String { "postgres://postgres@127.0.0.1:\(port)/postgres?sslmode=disable" }

  /// From now on, who comes is kept waiting.
  func holdNew() { state.withLock { $0.isHolding = true } }

  /// How many are kept waiting.
  var held: Int { state.withLock(\.held) }

  private func take(_ client: Int32) {
    let isHeld = state.withLock { state in
      if state.isHolding { state.held += 1 }
      return state.isHolding
    }
    if isHeld { return }
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = Self.place(port: target)
    let status = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { return }
    for (source, sink) in [(client, server), (server, client)] {
      Thread.detachNewThread { Self.pass(source, to: sink) }
    }
  }

  private static func pass(_ source: Int32, to sink: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = recv(source, &buffer, buffer.count, 0)
      guard count > 0, send(sink, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
    }
    shutdown(sink, Int32(SHUT_RDWR))
  }

  private static func place(port: Int) -> sockaddr_in {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(port).bigEndian
    place.sin_addr.s_addr = inet_addr("127.0.0.1")
    return place
  }
}
