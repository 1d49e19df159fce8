extension ConnectionOptions {
  /// The number of an advisory lock for a purpose of this schema: the same on every server.
  ///
  /// The 64-bit hash FNV-1a of both, since PostgreSQL documents no hash of a text that all versions have in common.
  func lockNumber(_ purpose: String) -> Int64 {
    let hash = "authgraph \(purpose) \(schema)".utf8.reduce(0xcbf2_9ce4_8422_2325) {
      (hash: UInt64, byte) in (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return Int64(bitPattern: hash)
  }
}
