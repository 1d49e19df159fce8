import Synchronization

/// The bytes that a server's threads received, for the test's checks.
final class Received: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  func add(_ more: [UInt8]) { bytes.withLock { $0 += more } }
  func add(_ text: String) { add(Array(text.utf8)) }
  var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}
