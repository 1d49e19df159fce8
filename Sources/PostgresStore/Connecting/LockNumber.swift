extension ConnectionOptions {
  /// The number of this schema's advisory lock for a purpose, equal on every server.
  ///
  /// It is a 64-bit FNV-1a hash, because PostgreSQL documents no text hash that is stable across versions.
  func lockNumber(_ purpose: String) -> Int64 {
    let hash = "authgraph \(purpose) \(schema)".utf8.reduce(0xcbf2_9ce4_8422_2325) {
      (hash: UInt64, byte) in (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return Int64(bitPattern: hash)
  }
}
