import Foundation
import Synchronization
import TestSupport

/// A TCP relay in front of a server, which a test cuts.
final class CuttingProxy: Sendable {
  /// The address at which it listens.
  let address: String
  private let listener: Int32
  private let state = Mutex<(open: Set<Int32>, isCut: Bool)>(([], false))

  init(to server: String) throws {
    guard let port = URL(string: server)?.port else {
      throw Failed(description: "\(server) has no port")
    }
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = Self.place(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard bound else { throw Failed(description: "the relay cannot listen") }
    self.listener = listener
    address = "http://127.0.0.1:\(in_port_t(bigEndian: place.sin_port))"
    Thread.detachNewThread { [self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        relay(client, to: port)
      }
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Closes all connections, and every new one until ``mend()``.
  func cut() {
    let open = state.withLock { state in
      state.isCut = true
      return state.open
    }
    for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  func mend() { state.withLock { $0.isCut = false } }

  private func relay(_ client: Int32, to port: Int) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = Self.place(port)
    let isOpen = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    let isCut = state.withLock { state in
      if !state.isCut { state.open.formUnion([client, server]) }
      return state.isCut
    }
    guard isOpen, !isCut else {
      state.withLock { $0.open.subtract([client, server]) }
      close(client)
      close(server)
      return
    }
    let left = Left()
    for (from, to) in [(client, server), (server, client)] {
      Thread.detachNewThread { [self] in
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
          let count = recv(from, &buffer, buffer.count, 0)
          guard count > 0, send(to, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(SHUT_RDWR))
        guard left.isLast() else { return }
        state.withLock { $0.open.subtract([client, server]) }
        close(client)
        close(server)
      }
    }
  }

  private static func place(_ port: Int) -> sockaddr_in {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(port).bigEndian
    place.sin_addr.s_addr = inet_addr("127.0.0.1")
    return place
  }
}

/// The directions of a connection that are still relayed.
private final class Left: Sendable {
  private let count = Mutex(2)

  /// Ends one of them; returns true if it was the last.
  func isLast() -> Bool {
    count.withLock { count in
      count -= 1
      return count == 0
    }
  }
}
