import Foundation
import Testing

@testable import Commands

/// The port of a server that is asked for any free one.
@Suite struct `A reserved port` {
  /// Binds a socket to a port of the loopback interface; returns nil if the port is taken.
  private func bound(to port: Int, isReused: Bool) -> Int32? {
    #if os(Linux)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var option: Int32 = isReused ? 1 : 0
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &option, socklen_t(MemoryLayout<Int32>.size))
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = inet_addr("127.0.0.1")
    place.sin_port = UInt16(port).bigEndian
    let status = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  #if os(Linux)
    @Test func `goes to no other process, and the server can listen on it`() throws {
      let port = try ReservedPort(host: "127.0.0.1")
      #expect(bound(to: port.number, isReused: false) == nil)
      let server = try #require(bound(to: port.number, isReused: true))
      #expect(listen(server, 1) == 0)
      port.release()
      close(server)
    }
  #endif

  @Test func `is free after its release, which may come twice`() throws {
    let port = try ReservedPort(host: "127.0.0.1")
    port.release()
    port.release()
    let other = try #require(bound(to: port.number, isReused: false))
    close(other)
  }
}
