import AuthCore
import BuiltInProviders
import Foundation
import IdentityToolkit

extension PasswordColumns {
  /// Reads the hashes of a file.
  static func importing(_ passwords: PasswordImport) -> PasswordColumns {
    PasswordColumns(
      stored: { hash, salt throws(AuthError) in
        let stored: String?
        do throws(PasswordHasherError) {
          stored = try passwords.stored(hash, salt: salt)
        } catch {
          throw AuthError(
            .invalidArgument, error.message, field: "passwordHash", remedy: error.remedy)
        }
        guard let stored else {
          throw AuthError(
            .invalidArgument, "The record has a password hash, and nothing says how it was made.",
            field: "passwordHash", remedy: "Give --hash-parameters, or --hash-algo and its options."
          )
        }
        return stored
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
}
