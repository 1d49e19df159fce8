import Foundation

/// Comparison of texts by their bytes, as databases, providers and keys compare them.
///
/// Swift's own equality holds two spellings of é equal.
extension String {
  package func isExactly(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return comparedInMemory(with: other).map { $0 == 0 } ?? utf8.elementsEqual(other.utf8)
  }

  /// Tells whether the text comes before another in byte order.
  package func precedesExactly(_ other: String) -> Bool {
    guard let order = comparedInMemory(with: other) else {
      return utf8.lexicographicallyPrecedes(other.utf8)
    }
    return order < 0 || (order == 0 && utf8.count < other.utf8.count)
  }

  package func hasBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard utf8.count == bytes.count else { return false }
    let isEqual = utf8.withContiguousStorageIfAvailable { own in
      guard let own = own.baseAddress, let other = bytes.baseAddress else { return bytes.isEmpty }
      return memcmp(own, other, bytes.count) == 0
    }
    return isEqual ?? utf8.elementsEqual(bytes)
  }

  /// Returns the `memcmp` order of the common length; nil if a text is not contiguous in memory.
  private func comparedInMemory(with other: String) -> Int32? {
    utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { other in
        guard let first = own.baseAddress, let second = other.baseAddress else { return 0 }
        return memcmp(first, second, min(own.count, other.count))
      }
    } ?? nil
  }
}
