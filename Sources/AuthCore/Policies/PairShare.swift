/// A share of all pairs of accounts, chosen by the two uids.
///
/// The choice depends neither on the order of the two nor on the process, and a larger share contains every smaller
/// one. So a pair that is asked about again is decided by the same version.
struct PairShare: Sendable, Hashable, Codable {
  /// The share in millionths.
  var millionths: Int

  /// Makes a share from 0 to 1.
  init(_ share: Double) {
    millionths = Int((share * 1_000_000).rounded())
  }

  var share: Double { Double(millionths) / 1_000_000 }

  /// Tells whether the share contains a pair.
  func contains(_ a: AccountID, _ b: AccountID) -> Bool {
    Self.digest(a, b) % 1_000_000 < UInt64(max(0, millionths))
  }

  /// A digest of the two uids: FNV-1a with the finalizer of SplitMix64, which spreads it evenly.
  private static func digest(_ a: AccountID, _ b: AccountID) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in Array(min(a, b).rawValue.utf8) + [0] + Array(max(a, b).rawValue.utf8) {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    return hash ^ (hash >> 31)
  }
}

extension PairShare: FieldValue {
  init(from decoder: any Decoder) throws {
    millionths = try Int(from: decoder)
  }

  func encode(to encoder: any Encoder) throws { try millionths.encode(to: encoder) }

  package func write(to writer: inout JSONWriter) { millionths.write(to: &writer) }
}
