import Foundation

/// Measures how long the disk takes to store a page durably.
enum FlushTime {
  /// Returns the mean time in microseconds of overwriting eight KiB of a preallocated file.
  static func measure(in folder: String, rounds: Int = 500) -> Double {
    let path = "\(folder)/flush-\(UUID())"
    let file = open(path, O_RDWR | O_CREAT, 0o600)
    guard file >= 0 else { return 0 }
    defer {
      close(file)
      unlink(path)
    }
    let page = [UInt8](repeating: 7, count: 8192)
    for number in 0..<256 { pwrite(file, page, page.count, off_t(number * page.count)) }
    fdatasync(file)
    var times: [Double] = []
    for number in 0..<rounds {
      let start = ContinuousClock.now
      pwrite(file, page, page.count, off_t(number % 256 * page.count))
      fdatasync(file)
      times.append((ContinuousClock.now - start) / .microseconds(1))
    }
    return times.reduce(0, +) / Double(times.count)
  }
}
