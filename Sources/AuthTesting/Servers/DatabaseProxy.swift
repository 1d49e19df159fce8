#if os(Linux) || os(macOS)
  import Foundation
  import Synchronization

  /// A database proxy that can go silent: connections stay open, but no data passes.
  ///
  /// A load balancer that has lost one end of a connection behaves like this.
  public final class DatabaseProxy: Sendable {
    private struct State {
      var swallowsOpen = false
      var swallowsNew = false
      /// The bytes to the server after which a connection is closed in both directions.
      var cutAfter: [UInt8]?
      var pairs: [Pair] = []
      var held = 0
      var exchanges = 0
    }

    /// A client's connection, and the proxy's own to the server.
    private final class Pair: Sendable {
      let client: Int32
      let server: Int32
      let isSilent = Atomic(false)
      /// True once the client has subscribed to changes.
      let isListening = Atomic(false)
      /// True if the last data came from the server.
      let isAnswered = Atomic(true)
      /// The number of directions that have ended, up to two.
      let ends = Atomic(0)

      init(client: Int32, server: Int32) {
        (self.client, self.server) = (client, server)
      }

      func cut() {
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
      }
    }

    /// The port on the loopback interface.
    public let port: Int
    private let listener: Int32
    private let target: Int
    private let state = Mutex(State())

    /// Makes a proxy that listens on the loopback interface and forwards to a port there.
    public init(to target: Int) throws {
      self.target = target
      let listener = try Self.newSocket()
      self.listener = listener
      var address = Self.address(port: 0)
      let isBound = Self.with(&address) { bind(listener, $0, $1) == 0 }
      guard isBound, listen(listener, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      _ = Self.with(&address) { pointer, _ in
        getsockname(listener, UnsafeMutablePointer(mutating: pointer), &length)
      }
      port = Int(UInt16(bigEndian: address.sin_port))
      Thread { self.acceptAll() }.start()
    }

    /// Blocks all data of open connections, and of new ones too if `new` is true.
    public func swallow(new: Bool) {
      state.withLock { state in
        state.swallowsNew = new
        for pair in state.pairs { pair.isSilent.store(true, ordering: .relaxed) }
      }
    }

    /// Blocks all data of the connections that listen for changes; returns their number.
    @discardableResult
    public func silenceListeners() -> Int {
      let listening = state.withLock(\.pairs).filter { $0.isListening.load(ordering: .relaxed) }
      for pair in listening { pair.isSilent.store(true, ordering: .relaxed) }
      return listening.count
    }

    /// Keeps new connections waiting.
    ///
    /// Open ones continue.
    public func holdNew() { state.withLock { $0.swallowsNew = true } }

    /// The number of new connections that were kept waiting.
    public var held: Int { state.withLock(\.held) }

    /// The number of requests that followed an answer of the server, without connections that listen for changes.
    public var exchanges: Int { state.withLock(\.exchanges) }

    /// Lets new connections through again.
    public func recover() { state.withLock { $0.swallowsNew = false } }

    /// Closes the next connection whose client sends a text, once that text has reached the server.
    public func cut(after text: String) { state.withLock { $0.cutAfter = Array(text.utf8) } }

    /// Stops listening and closes all connections.
    public func end() {
      shutdown(listener, Int32(SHUT_RDWR))
      close(listener)
      state.withLock { state in
        for pair in state.pairs { pair.cut() }
      }
    }

    private func acceptAll() {
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        var address = Self.address(port: target)
        guard let server = try? Self.newSocket(),
          Self.with(&address, { connect(server, $0, $1) == 0 })
        else {
          close(client)
          continue
        }
        let pair = Pair(client: client, server: server)
        state.withLock { state in
          pair.isSilent.store(state.swallowsNew, ordering: .relaxed)
          if state.swallowsNew { state.held += 1 }
          state.pairs.append(pair)
        }
        Thread { self.forward(from: client, to: server, of: pair, isToServer: true) }.start()
        Thread { self.forward(from: server, to: client, of: pair, isToServer: false) }.start()
      }
    }

    private func forward(from source: Int32, to target: Int32, of pair: Pair, isToServer: Bool) {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = recv(source, &buffer, buffer.count, 0)
        guard count > 0 else { return end(pair) }
        // The data is read and dropped, which the sender cannot notice.
        if pair.isSilent.load(ordering: .relaxed) { continue }
        let bytes = buffer[..<count]
        if isToServer, bytes.firstRange(of: Self.listening) != nil {
          pair.isListening.store(true, ordering: .relaxed)
        }
        let wasAnswered = pair.isAnswered.exchange(!isToServer, ordering: .relaxed)
        if isToServer, wasAnswered, !pair.isListening.load(ordering: .relaxed) {
          state.withLock { $0.exchanges += 1 }
        }
        let cuts = isToServer && isCut(after: bytes)
        // No answer may come back before the connection is closed.
        if cuts { pair.isSilent.store(true, ordering: .relaxed) }
        var sent = 0
        while sent < count {
          let now = bytes[sent...].withUnsafeBytes {
            send(target, $0.baseAddress, $0.count, Self.noSignal)
          }
          guard now > 0 else { return end(pair) }
          sent += now
        }
        if cuts {
          // The server has read the data before it notices the end.
          shutdown(pair.server, Int32(SHUT_WR))
          shutdown(pair.client, Int32(SHUT_RDWR))
          return
        }
      }
    }

    private static let listening = Array("LISTEN ".utf8)

    private func end(_ pair: Pair) {
      pair.cut()
      state.withLock { $0.pairs.removeAll { $0 === pair } }
      guard pair.ends.add(1, ordering: .sequentiallyConsistent).newValue == 2 else { return }
      close(pair.client)
      close(pair.server)
    }

    private func isCut(after bytes: ArraySlice<UInt8>) -> Bool {
      state.withLock { state in
        guard let text = state.cutAfter, bytes.firstRange(of: text) != nil else { return false }
        state.cutAfter = nil
        return true
      }
    }

    private static let noSignal: Int32 = {
      #if os(Linux)
        Int32(MSG_NOSIGNAL)
      #else
        0
      #endif
    }()

    private static func newSocket() throws -> Int32 {
      #if os(Linux)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #endif
      guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
      return descriptor
    }

    private static func address(port: Int) -> sockaddr_in {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      return address
    }

    private static func with<Result>(
      _ address: inout sockaddr_in,
      _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
  }
#endif
