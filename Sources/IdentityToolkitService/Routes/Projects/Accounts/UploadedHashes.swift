import AuthCore
import BuiltInProviders
import Foundation
import IdentityToolkit
import UserFiles

/// The hash algorithm of an upload's passwords, and the form in which they are stored.
struct UploadedHashes: Sendable {
  /// Every field that the body of an upload may have.
  static let fields: [RouteField] = [
    .list("users", most: AccountGraph.maximumBatch, of: UploadedUser.fields),
    .flag("sanityCheck"), .flag("allowOverwrite"), "hashAlgorithm", "signerKey", "saltSeparator",
    "rounds", "memoryCost", "cpuMemCost", "parallelization", "blockSize", "dkLen",
    "passwordHashOrder",
    .object("argon2Parameters", argon2Options.keys.sorted().map(RouteField.text)),
    "delegatedProjectNumber", "targetProjectId", "tenantId",
  ]

  private let passwords: PasswordImport
  /// The password columns of the upload's records.
  let columns: PasswordColumns

  /// The parameters of the hashes read so far; empty if none were named.
  var parameters: [PasswordHashParameters] { Array(passwords.parameters.values) }

  /// Takes hashes that need no parameters.
  init(_ columns: PasswordColumns) {
    passwords = PasswordImport(nil)
    self.columns = columns
  }

  /// Reads the hash parameters; throws `INVALID_HASH_PARAMETERS` with the one at fault.
  init(_ body: WireFields) throws(WireError) {
    passwords = PasswordImport(try Self.parameters(body))
    columns = .importing(passwords)
  }

  private static func parameters(_ body: WireFields) throws(WireError) -> PasswordHashParameters? {
    guard let algorithm = try body.filled("hashAlgorithm") else { return nil }
    var options = ["hash-algo": algorithm]
    for (name, option) in PasswordHashParameters.optionsOfFields {
      if let value = try body.filled(name) { options[option] = value }
    }
    if let argon2 = try body.object("argon2Parameters") {
      for (name, option) in argon2Options { options[option] = try argon2.filled(name) }
    }
    do throws(PasswordHashParametersError) {
      return try PasswordHashParameters(options: options)
    } catch {
      throw WireError("INVALID_HASH_PARAMETERS", error.description)
    }
  }

  private static let argon2Options = [
    "hashType": "argon2-hash-type", "hashLengthBytes": "argon2-hash-length-bytes",
    "iterations": "argon2-iterations", "parallelism": "argon2-parallelism",
    "memoryCostKib": "argon2-memory-cost-kib", "version": "argon2-version",
    "associatedData": "argon2-associated-data",
  ]
}
