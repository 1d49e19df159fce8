import AuthCore
import Crypto
import Foundation

/// Seals with a random key; a text can be opened only for its own purpose.
struct PurposeSealing: SecretSealing {
  private let key = SymmetricKey(size: .bits256)

  func seal(_ text: String, for purpose: String) throws -> String {
    let box = try AES.GCM.seal(Data(text.utf8), using: key, authenticating: Data(purpose.utf8))
    return box.combined?.base64EncodedString() ?? ""
  }

  func open(_ sealed: String, for purpose: String) throws -> String {
    guard let data = Data(base64Encoded: sealed),
      let text = try? AES.GCM.open(
        AES.GCM.SealedBox(combined: data), using: key, authenticating: Data(purpose.utf8))
    else { throw AuthError(.internalError, "The text was sealed for something else.") }
    return String(decoding: text, as: UTF8.self)
  }
}
