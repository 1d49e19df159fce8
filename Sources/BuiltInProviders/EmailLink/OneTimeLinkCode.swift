import AuthCore
import Foundation

/// The code of a sign-in link, in Firebase's parameter `oobCode`.
///
/// It is `ID.CODE`, or a single text without an ID if the graph made it.
struct OneTimeLinkCode {
  let id: String
  let code: String

  init(id: String, code: String) {
    self.id = id
    self.code = code
  }

  /// Reads a whole link or the code alone; throws `invalid-credential`.
  ///
  /// Some mail programs and app links put a link inside another one, as its parameter `link` or `deep_link_id`.
  init(_ text: String) throws(AuthError) {
    guard text.utf8.count <= 8192, let oobCode = Self.oobCode(in: text, depth: 2) else {
      throw Self.malformed
    }
    let parts = oobCode.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 1, Self.isActionCode(parts[0]) {
      self.init(id: "", code: parts[0])
      return
    }
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw Self.malformed }
    self.init(id: parts[0], code: parts[1])
  }

  var text: String { "\(id).\(code)" }

  private static func isActionCode(_ text: String) -> Bool {
    text.utf8.count == 54
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
      }
  }

  private static func oobCode(in text: String, depth: Int) -> String? {
    guard text.contains("://") else { return text }
    let fields = URLComponents(string: text)?.queryItems ?? []
    let codes = fields.filter { $0.name == "oobCode" }
    if let code = codes.first?.value {
      // No sign-in link has two codes, or a code for another purpose.
      let modes = fields.filter { $0.name == "mode" }.map(\.value)
      return codes.count == 1 && modes.allSatisfy { $0 == "signIn" } ? code : nil
    }
    let inner = fields.first { ["link", "deep_link_id"].contains($0.name) }?.value
    guard depth > 0, let inner, inner.contains("://") else { return nil }
    return oobCode(in: inner, depth: depth - 1)
  }

  private static let malformed = AuthError(
    .invalidCredential, "This is not a sign-in link.", field: "link",
    remedy: "Give the whole link from the e-mail.", step: .credential)
}
