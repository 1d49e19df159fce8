import AuthTesting
import Foundation
import Synchronization

/// A wire between one server and its database, which knows the connections that listen and can let them fall silent.
///
/// A balancer that forgot the other end of a connection does the same: the connection stays open, and nothing comes
/// through. New connections are not touched.
final class DatabaseWire: Sendable {
  /// The port that a server connects to.
  let port: Int
  private let target: Int
  private let descriptor: Int32
  private let links = Mutex<[Link]>([])
  private let isClosed = Atomic(false)

  /// One connection of the server and the one behind it.
  private final class Link: Sendable {
    let isListening = Atomic(false)
    let isSilent = Atomic(false)
  }

  init(to target: Int) throws {
    self.target = target
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = Self.loopback(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isBound = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 128) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw Failed(description: "no port for a wire is free") }
    port = Int(UInt16(bigEndian: place.sin_port))
    Thread.detachNewThread { [self] in accept() }
  }

  /// Ends what waits for connections; those that are open go on until one end closes.
  func close() {
    isClosed.store(true, ordering: .relaxed)
    shutdown(descriptor, Int32(SHUT_RDWR))
    Foundation.close(descriptor)
  }

  /// Lets nothing more through the connections that listen now; gives how many they are.
  @discardableResult
  func silenceListeners() -> Int {
    let listening = links.withLock(\.self).filter { $0.isListening.load(ordering: .relaxed) }
    for link in listening { link.isSilent.store(true, ordering: .relaxed) }
    return listening.count
  }

  private func accept() {
    while !isClosed.load(ordering: .relaxed) {
      let near = Foundation.accept(descriptor, nil, nil)
      guard near >= 0 else { continue }
      let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var place = Self.loopback(port: target)
      let isConnected = withUnsafePointer(to: &place) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      guard isConnected else {
        Foundation.close(near)
        Foundation.close(far)
        continue
      }
      let link = Link()
      links.withLock { $0.append(link) }
      let group = DispatchGroup()
      for (from, to, isQuestion) in [(near, far, true), (far, near, false)] {
        group.enter()
        Thread.detachNewThread {
          Self.pass(from, to, link, isQuestion: isQuestion)
          group.leave()
        }
      }
      group.notify(queue: .global()) { [self] in
        Foundation.close(near)
        Foundation.close(far)
        links.withLock { $0.removeAll { $0 === link } }
      }
    }
  }

  private static func pass(_ from: Int32, _ to: Int32, _ link: Link, isQuestion: Bool) {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let listen = Array("LISTEN ".utf8)
    while true {
      let count = recv(from, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      if isQuestion, buffer[..<count].contains(listen) {
        link.isListening.store(true, ordering: .relaxed)
      }
      if link.isSilent.load(ordering: .relaxed) { continue }
      let sent = buffer.withUnsafeBytes { bytes in
        var sent = 0
        while sent < count {
          let more = send(
            to, bytes.baseAddress.map { $0 + sent }, count - sent, Int32(MSG_NOSIGNAL))
          guard more > 0 else { break }
          sent += more
        }
        return sent
      }
      guard sent == count else { break }
    }
    shutdown(from, Int32(SHUT_RD))
    shutdown(to, Int32(SHUT_WR))
  }

  private static func loopback(port: Int) -> sockaddr_in {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(port).bigEndian
    place.sin_addr.s_addr = inet_addr("127.0.0.1")
    return place
  }
}
