import AuthCore
import FakeVendors

/// The test key of `{signed …}`, and a certificate of it, as Game Center publishes its key.
enum SealingRSA {
  static func key() throws -> SigningKey { try SigningKey.shared(11, keyID: "sealing") }

  static func certificate(at time: Timestamp) throws -> [UInt8] {
    try key().certificate(at: time)
  }
}
