/// Bytes to whose end others are added.
///
/// An array asks at each addition whether somebody shares it and how it may grow, and for the short texts that JSON is
/// made of that takes longer than they do.
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

  /// Adds what a closure writes behind the end: it has room for so many bytes, and says how many it wrote.
  mutating func append(
    upTo most: Int, _ write: (_ end: UnsafeMutablePointer<UInt8>) -> Int
  ) {
    makeRoom(for: most)
    let added = write(start + count)
    precondition((0...most).contains(added))
    count += added
  }

  /// Takes back what was added last, until so many are left.
  mutating func cut(to count: Int) {
    precondition(count <= self.count)
    self.count = count
  }

  /// Calls a closure with the bytes, which are there for its time.
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
