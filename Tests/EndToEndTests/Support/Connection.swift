import AuthCore
import Foundation
import TestSupport

/// A TCP connection that is kept open, to observe what the server does with it.
final class Connection: Sendable {
  private let descriptor: Int32

  /// Connects to an address such as `http://127.0.0.1:40000`, from an address of this machine if one is named.
  ///
  /// An answer may take some seconds.
  init(to address: String, from own: String? = nil, patience seconds: Int = 30) throws {
    guard let url = URL(string: address), let port = url.port, let host = url.host() else {
      throw Failed(description: "\(address) has no port")
    }
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if let own, !Self.call(bind, descriptor, host: own, port: 0) {
      throw Failed(description: "\(own) is no address of this machine")
    }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard Self.call(connect, descriptor, host: host, port: port) else {
      throw Failed(description: "nobody listens at \(address)")
    }
  }

  /// Calls a system function with a socket address; returns true if it succeeded.
  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32,
    host: String, port: Int
  ) -> Bool {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(port).bigEndian
    place.sin_addr.s_addr = inet_addr(host)
    return withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  deinit {
    close(descriptor)
  }

  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard
      Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    else { throw Failed(description: "the connection was closed") }
  }

  /// Reads one answer with its body, by its `Content-Length`.
  func receive() throws -> String {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let text = String(decoding: data, as: UTF8.self)
      if let head = text.range(of: "\r\n\r\n") {
        let length =
          text[..<head.lowerBound].lowercased()
          .firstMatch(of: /content-length: (\d+)/)
          .flatMap { Int($0.output.1) } ?? 0
        if text[head.upperBound...].utf8.count >= length { return text }
      }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { throw Failed(description: "the connection ended after: \(text)") }
      data += buffer.prefix(count)
    }
  }

  func get(_ path: String) throws -> String {
    try send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return try receive()
  }

  /// Posts JSON and returns the status and the answer.
  func post(
    _ path: String, _ body: JSONValue, bearer: String? = nil
  ) throws -> (status: Int, json: JSONValue) {
    let text = body.text
    let who = bearer.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    try send(
      "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\(who)"
        + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)")
    let answer = try receive()
    let status = answer.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) }
    let content = answer.range(of: "\r\n\r\n").map { String(answer[$0.upperBound...]) } ?? ""
    return (status ?? 0, try JSONValue(text: content))
  }

  /// Reads and discards data until the other side ends it; returns the number of bytes.
  func drain() -> Int {
    var buffer = [UInt8](repeating: 0, count: 65536)
    var total = 0
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return total }
      total += count
    }
  }

  /// Tells whether the other side closed the connection; waits for as long as a read may take.
  func isClosed() -> Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, 0)
    return count == 0 || count < 0 && errno != EAGAIN && errno != EWOULDBLOCK
  }
}
