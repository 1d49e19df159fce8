import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Finds the addresses of a host name, best first; throws or returns none if there are none.
package typealias Resolver = @Sendable (String) async throws -> [IPAddress]

/// Asks the operating system on separate threads, so that a slow name server delays no other lookup.
enum SystemResolver {
  static func addresses(of host: String) async throws -> [IPAddress] {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: lookUp(host)) }
    }
  }

  private static let queue = DispatchQueue(label: "authgraph.resolver", attributes: .concurrent)

  private static func lookUp(_ host: String) -> [IPAddress] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    // The constant is an enumeration in one C library and a number in the others.
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var found: [IPAddress] = []
    var next = list
    while let entry = next {
      if let address = address(in: entry.pointee), !found.contains(address) {
        found.append(address)
      }
      next = entry.pointee.ai_next
    }
    return found
  }

  private static func address(in entry: addrinfo) -> IPAddress? {
    guard let socketAddress = entry.ai_addr else { return nil }
    let raw = UnsafeRawPointer(socketAddress)
    switch entry.ai_family {
    case AF_INET:
      let address = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
      return IPAddress(bytes: withUnsafeBytes(of: address) { Array($0) })
    case AF_INET6:
      let address = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
      return IPAddress(bytes: withUnsafeBytes(of: address) { Array($0) })
    default:
      return nil
    }
  }
}
