import AuthCore
import BuiltInProviders
import Foundation
import IdentityToolkit

extension PasswordColumns {
  /// Reads hashes made with these parameters; without any, only those that describe themselves.
  static func importing(_ parameters: PasswordHashParameters?) -> PasswordColumns {
    PasswordColumns(
      stored: { hash, salt throws(AuthError) in
        if salt == nil, let own = ownHash(hash) { return own }
        guard let parameters else {
          throw AuthError(
            .invalidArgument, "The record has a password hash, and nothing says how it was made.",
            field: "passwordHash", remedy: "Give --hash-parameters, or --hash-algo and its options."
          )
        }
        do throws(PasswordHasherError) {
          return try ImportedPasswordHash(salt: salt ?? "", hash: hash, parameters: parameters)
            .encoded
        } catch {
          throw AuthError(
            .invalidArgument, error.message, field: "passwordHash", remedy: error.remedy)
        }
      }, columns: exporting.columns)
  }

  /// Writes hashes: imported ones as they came, our own in base64, which describe themselves.
  static let exporting = PasswordColumns(
    stored: { hash, _ in hash },
    columns: { stored in
      if let imported = ImportedPasswordHash(parsing: stored) {
        return (imported.hash, imported.salt.isEmpty ? nil : imported.salt)
      }
      return (Data(stored.utf8).base64EncodedString(), nil)
    })

  private static func ownHash(_ text: String) -> String? {
    guard let data = Data(base64Encoded: text) else { return nil }
    let decoded = String(decoding: data, as: UTF8.self)
    return PasswordHasher.isOwnHash(decoded) ? decoded : nil
  }
}
