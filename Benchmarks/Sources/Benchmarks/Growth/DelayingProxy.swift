import Foundation
import NIOConcurrencyHelpers

/// Forwards bytes between callers and a database, and delays requests.
///
/// The number of round trips of an operation follows from its additional time.
final class DelayingProxy: Sendable {
  let port: Int
  private let listener: Int32
  private let target: Int
  private let delay: Double

  struct Failure: Error {}

  init(to target: Int, delay: Double) throws {
    self.target = target
    self.delay = delay
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = Self.loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &place) { [listener] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    guard bound else { throw Failure() }
    port = Int(UInt16(bigEndian: place.sin_port))
    Thread { self.accept() }.start()
  }

  func close() {
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private func accept() {
    while true {
      let caller = Glibc.accept(listener, nil, nil)
      guard caller >= 0 else { return }
      let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var place = Self.loopback(target)
      let connected = withUnsafeMutablePointer(to: &place) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      guard connected else { return }
      for descriptor in [caller, server] {
        var on: Int32 = 1
        setsockopt(
          descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
      }
      handOn(from: caller, to: server, after: delay)
      handOn(from: server, to: caller, after: 0)
    }
  }

  /// Forwards with one thread that reads and one that writes in due time, so that delays do not add up.
  private func handOn(from source: Int32, to destination: Int32, after delay: Double) {
    let line = HeldBytes()
    Thread {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(source, &buffer, buffer.count)
        line.add(count > 0 ? Array(buffer[..<count]) : nil, due: Date(timeIntervalSinceNow: delay))
        guard count > 0 else { return }
      }
    }.start()
    Thread {
      while let (bytes, due) = line.next() {
        Thread.sleep(until: due)
        var sent = 0
        while sent < bytes.count {
          let count = bytes[sent...].withUnsafeBytes {
            write(destination, $0.baseAddress, $0.count)
          }
          guard count > 0 else { return }
          sent += count
        }
      }
      shutdown(destination, Int32(SHUT_WR))
    }.start()
  }

  private static func loopback(_ port: Int) -> sockaddr_in {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = UInt16(port).bigEndian
    place.sin_addr.s_addr = inet_addr("127.0.0.1")
    return place
  }
}

/// Bytes that wait for their due time; nil ends them.
private final class HeldBytes: @unchecked Sendable {
  // `condition` guards the rest, which makes sharing it safe.
  private let condition = NSCondition()
  private var held: [(bytes: [UInt8]?, due: Date)] = []

  func add(_ bytes: [UInt8]?, due: Date) {
    condition.withLock {
      held.append((bytes, due))
      condition.signal()
    }
  }

  func next() -> (bytes: [UInt8], due: Date)? {
    condition.withLock {
      while held.isEmpty { condition.wait() }
      let first = held.removeFirst()
      return first.bytes.map { ($0, first.due) }
    }
  }
}
