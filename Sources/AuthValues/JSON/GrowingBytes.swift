/// A buffer of bytes that grows at its end.
///
/// An array checks for uniqueness and capacity at each append, which costs more than the short texts of JSON
/// themselves.
struct GrowingBytes: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 16)
    start = .allocate(capacity: self.capacity)
  }

  deinit { start.deallocate() }

  var last: UInt8? { count > 0 ? start[count - 1] : nil }

  mutating func append(_ byte: UInt8) {
    makeRoom(for: 1)
    (start + count).initialize(to: byte)
    count += 1
  }

  mutating func append(_ byte: UInt8, times: Int) {
    makeRoom(for: times)
    (start + count).initialize(repeating: byte, count: times)
    count += times
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let first = bytes.baseAddress else { return }
    makeRoom(for: bytes.count)
    (start + count).initialize(from: first, count: bytes.count)
    count += bytes.count
  }

  /// Appends what a closure writes: it has room for `most` bytes and returns the number written.
  mutating func append(
    upTo most: Int, _ write: (_ end: UnsafeMutablePointer<UInt8>) -> Int
  ) {
    makeRoom(for: most)
    let added = write(start + count)
    precondition((0...most).contains(added))
    count += added
  }

  /// Shortens the buffer to a number of bytes.
  mutating func cut(to count: Int) {
    precondition(count <= self.count)
    self.count = count
  }

  /// Calls a closure with the bytes, which are valid only during the call.
  borrowing func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    body(UnsafeBufferPointer(start: start, count: count))
  }

  private mutating func makeRoom(for more: Int) {
    if capacity - count < more { grow(to: count + more) }
  }

  @inline(never) private mutating func grow(to needed: Int) {
    capacity = max(needed, 2 * capacity)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.initialize(from: start, count: count)
    start.deallocate()
    start = larger
  }
}
