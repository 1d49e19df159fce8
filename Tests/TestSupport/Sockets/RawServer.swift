import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A server of plain sockets on a loopback address, whose bytes the test decides.
package final class RawServer: Sendable {
  package let port: Int
  private let address: String
  private let listener: Int32
  private let connections = Mutex<[RawConnection]>([])
  private let isOpen = Mutex(true)

  /// Runs the script once for each connection, on its own thread; the connection closes when it returns.
  package init(
    on address: String = "127.0.0.1", port wanted: Int = 0,
    _ script: @escaping @Sendable (RawConnection) -> Void
  ) throws {
    self.address = address
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = in_port_t(wanted).bigEndian
    inet_pton(AF_INET, address, &name.sin_addr)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 512) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    self.listener = listener
    port = Int(UInt16(bigEndian: name.sin_port))
    Thread.detachNewThread { [weak self] in
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else {
          // Here and not in `stop`, so that no other server can get the descriptor while this thread uses it.
          close(listener)
          return
        }
        let connection = RawConnection(descriptor)
        self?.connections.withLock { $0.append(connection) }
        Thread.detachNewThread {
          script(connection)
          connection.close()
        }
      }
    }
  }

  deinit { stop() }

  /// Accepts no more connections; the port then refuses them.
  package func stop() {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if wasOpen { shutdown(listener, Int32(SHUT_RDWR)) }
  }

  /// The number of connections to it.
  package var accepted: Int { connections.withLock { $0.count } }
  /// All the request heads and bodies that it read.
  package var received: [String] { connections.withLock { $0.flatMap(\.received) } }
  package var sentBytes: Int { connections.withLock { $0.reduce(0) { $0 + $1.sentBytes } } }
  /// The host in the form of an admin's list.
  package var place: String { "\(address):\(port)" }
  package func url(_ path: String = "/") -> String { "http://\(place)\(path)" }
}

/// One accepted connection.
package final class RawConnection: Sendable {
  private struct State {
    var isOpen = true
    var received: [String] = []
    var sentBytes = 0
  }

  private let descriptor: Int32
  private let state = Mutex(State())

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  package var received: [String] { state.withLock { $0.received } }
  package var sentBytes: Int { state.withLock { $0.sentBytes } }

  /// Reads one head and the body that its Content-Length announces; nil at the end.
  @discardableResult
  package func readRequest() -> String? {
    var bytes: [UInt8] = []
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let head = text[..<end.lowerBound].lowercased()
        let length =
          head.components(separatedBy: "content-length: ").dropFirst().first
          .flatMap { Int($0.prefix(while: \.isNumber)) } ?? 0
        if text[end.upperBound...].utf8.count >= length {
          state.withLock { $0.received.append(text) }
          return text
        }
      }
      guard let more = readSome() else { return nil }
      bytes += more
    }
  }

  /// Reads the available bytes; nil at the end.
  package func readSome() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// Returns false once the other side is gone.
  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      state.withLock { $0.sentBytes += count }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Sends an answer that keeps the connection.
  package func answer(_ status: String = "200 OK", headers: String = "", _ body: String = "") {
    send("HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  /// Answers every request alike until the other side closes.
  package func answerAll(_ status: String = "200 OK", headers: String = "", _ body: String = "") {
    while readRequest() != nil { answer(status, headers: headers, body) }
  }

  /// Waits until the other side closes.
  package func waitForEnd() { while readSome() != nil {} }

  /// Ends the connection with a reset instead of an orderly close.
  package func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    close()
  }

  package func close() {
    let wasOpen = state.withLock { state in
      defer { state.isOpen = false }
      return state.isOpen
    }
    if wasOpen { Glibc.close(descriptor) }
  }
}
