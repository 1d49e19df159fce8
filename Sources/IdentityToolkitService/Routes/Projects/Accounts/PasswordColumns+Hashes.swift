import AuthCore
package import BuiltInProviders
import Foundation
package import UserFiles

extension PasswordColumns {
  /// Reads the hashes of an import.
  package static func importing(_ passwords: PasswordImport) -> PasswordColumns {
    PasswordColumns(
      stored: { columns throws(RecordFault) in
        guard !SecretPlaceholder.stands(in: columns.hash) else { throw RecordFault.maskedHash }
        let stored: String?
        do throws(PasswordHasherError) {
          stored = try passwords.stored(
            columns.hash, salt: columns.salt, parameters: columns.parameters)
        } catch {
          throw RecordFault(
            .invalidPassword,
            AuthError(.invalidArgument, error.message, field: "passwordHash", remedy: error.remedy))
        }
        guard let stored else {
          throw RecordFault(
            .unknownHash,
            AuthError(
              .invalidArgument,
              "The record has a password hash, and nothing says how it was made.",
              field: "passwordHash",
              remedy: "Give --hash-parameters, or --hash-algo and its options."))
        }
        return stored
      }, columns: exporting([:]).columns)
  }

  /// Writes hashes: imported ones unchanged and with their parameters, own ones in base64, since they contain their
  /// parameters.
  ///
  /// `parameters` are those of the scope's settings, by name.
  package static func exporting(_ parameters: [String: PasswordHashParameters]) -> PasswordColumns {
    let values = parameters.mapValues { JSONValue.object($0.optionValues) }
    return PasswordColumns(
      stored: { columns throws(RecordFault) in columns.hash },
      columns: { stored in
        guard let imported = ImportedPasswordHash(parsing: stored) else {
          return Columns(hash: Data(stored.utf8).base64EncodedString())
        }
        return Columns(
          hash: imported.hash, salt: imported.salt.isEmpty ? nil : imported.salt,
          parameters: values[imported.parameterSetID])
      })
  }
}

extension RecordFault {
  /// A masked hash, which a caller without the right to see hashes received.
  fileprivate static let maskedHash = RecordFault(
    .invalidPassword,
    AuthError(
      .invalidArgument, "passwordHash is the mask of a hash that its reader may not see.",
      field: "passwordHash", remedy: "Export with a right to read hashes, or leave it out."))
}
