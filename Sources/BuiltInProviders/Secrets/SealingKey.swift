import AuthCore
import Crypto
import Foundation

/// Encrypts texts with AES-256-GCM under one key.
///
/// A sealed text is `sealed:1:KEYID:DATA`, where DATA is nonce, ciphertext and tag in base64url. The version, the
/// key's ID and the purpose are authenticated too, so none of them can be exchanged.
struct SealingKey: Sendable {
  static let byteCount = 32

  /// The ID of the key, which reveals nothing about the key.
  let id: String
  private let key: SymmetricKey

  /// Makes a new key from the system's random number generator.
  init() {
    self.init(SymmetricKey(size: .bits256))
  }

  /// Takes a key's bytes; nil unless there are 32.
  init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(SymmetricKey(data: bytes))
  }

  private init(_ key: SymmetricKey) {
    self.key = key
    let digest = HMAC<SHA256>.authenticationCode(for: Data("key ID".utf8), using: key)
    id = digest.prefix(6).hexadecimal
  }

  var bytes: [UInt8] { key.withUnsafeBytes { Array($0) } }

  func seal(_ text: String, for purpose: String) throws -> String {
    let header = "sealed:1:\(id):"
    let box = try AES.GCM.seal(
      Data(text.utf8), using: key, authenticating: Data((header + purpose).utf8))
    // There is a combined form if the nonce has its usual size.
    guard let data = box.combined else { throw Self.unreadable }
    return header + Base64.url.text(data)
  }

  /// Decrypts a text; `keeper` names the key's place, for the error of a text sealed with another key.
  func open(_ sealed: String, for purpose: String, keeper: String) throws -> String {
    let parts = sealed.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, parts[0] == "sealed", !parts[2].isEmpty else { throw Self.unreadable }
    guard parts[1] == "1" else {
      throw AuthError(
        .internalError, "A secret was sealed in a form that this version does not know.",
        remedy: "Use the version that sealed it, or a later one.")
    }
    guard parts[2] == id else {
      throw AuthError(
        .internalError,
        "A secret was sealed with the key \(Self.shown(parts[2])); \(keeper) is another key, \(id).",
        remedy:
          "Name the key file that the secrets of this store were sealed with, by --key-file. If there are two, "
          + "authgraph store mend-key seals everything with one.")
    }
    guard let bytes = Base64.url.bytes(of: parts[3].utf8),
      let box = try? AES.GCM.SealedBox(combined: bytes),
      let data = try? AES.GCM.open(
        box, using: key, authenticating: Data("sealed:1:\(id):\(purpose)".utf8)),
      let text = String(validating: data, as: UTF8.self)
    else { throw Self.unreadable }
    return text
  }

  private static let unreadable = AuthError(
    .internalError, "A sealed secret is damaged, or was sealed for something else.",
    remedy: "Set the secret again.")

  /// A key's ID for a message; the ID in a stored text may be anything.
  private static func shown(_ id: String) -> String {
    let isID = id.utf8.count == 12 && id.allSatisfy(\.isHexDigit)
    return isID ? id : "of an unknown kind"
  }
}
