import AuthCore
import Foundation
import NIOConcurrencyHelpers

/// A free port that no other process gets until the server listens on it.
final class ReservedPort: Sendable {
  let number: Int
  private let descriptor: NIOLockedValueBox<Int32?>

  /// Reserves a port of an address; throws `invalid-argument` if this machine does not have the address.
  init(host: String) throws(AuthError) {
    var hints = addrinfo()
    #if os(Linux)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    hints.ai_flags = AI_PASSIVE
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "0", &hints, &list) == 0, let entry = list?.pointee else {
      throw Self.refusal(host)
    }
    defer { freeaddrinfo(list) }
    let descriptor = socket(entry.ai_family, entry.ai_socktype, 0)
    guard descriptor >= 0 else { throw Self.refusal(host) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // Two sockets with this option may be bound to one port as long as only one of them listens.
    var isReused: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, entry.ai_addr, entry.ai_addrlen) == 0,
      let number = Self.port(of: descriptor)
    else {
      close(descriptor)
      throw Self.refusal(host)
    }
    self.number = number
    #if os(Linux)
      self.descriptor = NIOLockedValueBox(descriptor)
    #else
      // Other systems refuse the second socket.
      close(descriptor)
      self.descriptor = NIOLockedValueBox(nil)
    #endif
  }

  deinit { release() }

  /// Ends the reservation; a second call has no effect.
  func release() {
    descriptor.withLockedValue { descriptor in
      if let descriptor { close(descriptor) }
      descriptor = nil
    }
  }

  private static func port(of descriptor: Int32) -> Int? {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    guard status == 0 else { return nil }
    // The port has the same offset for both families.
    return withUnsafeBytes(of: address) { bytes in Int(bytes[2]) << 8 | Int(bytes[3]) }
  }

  private static func refusal(_ host: String) -> AuthError {
    AuthError(
      .invalidArgument, "There is no address \(host) to listen on.", field: "host",
      remedy: "Choose an address of this machine, such as 127.0.0.1.")
  }
}
