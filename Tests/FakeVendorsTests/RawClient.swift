import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin

  private let MSG_NOSIGNAL: Int32 = 0
#endif

/// Sends bytes to a port of this machine and reads until the other side closes.
enum RawClient {
  static func exchange(port: Int, _ text: String) async throws -> Data {
    // A separate thread, because the calls block.
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try exchangeBlocking(port: port, text) })
      }
    }
  }

  private static func exchangeBlocking(port: Int, _ text: String) throws -> Data {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw POSIXError(.ECONNREFUSED) }
    let sent = Data(text.utf8)
    var done = 0
    while done < sent.count {
      let count = sent.withUnsafeBytes { bytes in
        // Without a signal if the other side has already closed.
        send(
          descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, Int32(MSG_NOSIGNAL)
        )
      }
      guard count > 0 else { break }
      done += count
    }
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: buffer.prefix(count))
    }
  }
}
