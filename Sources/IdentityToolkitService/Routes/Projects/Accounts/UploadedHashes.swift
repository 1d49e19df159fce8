import AuthCore
import BuiltInProviders
import Foundation
import IdentityToolkit

/// How the passwords of an upload were hashed, and how they are kept.
struct UploadedHashes: Sendable {
  /// Every name that the body of an upload may have.
  static let fields: [RouteField] = [
    .list("users", most: AccountGraph.maximumBatch, of: UploadedUser.fields),
    .flag("sanityCheck"), .flag("allowOverwrite"), "hashAlgorithm", "signerKey", "saltSeparator",
    "rounds", "memoryCost", "cpuMemCost", "parallelization", "blockSize", "dkLen",
    "passwordHashOrder",
    .object("argon2Parameters", argon2Options.keys.sorted().map(RouteField.text)),
    "delegatedProjectNumber", "targetProjectId", "tenantId",
  ]

  private let passwords: PasswordImport
  private let isEmulator: Bool

  /// How the hashes that were read so far were made; none where nothing was said.
  var parameters: [PasswordHashParameters] { Array(passwords.parameters.values) }

  /// Reads the parameters of production's uploads; the emulator takes hashes as they are.
  ///
  /// Throws `INVALID_HASH_PARAMETERS` naming the one at fault.
  init(_ body: WireFields, isEmulator: Bool) throws {
    self.isEmulator = isEmulator
    guard !isEmulator, let algorithm = try body.filled("hashAlgorithm") else {
      passwords = PasswordImport(nil)
      return
    }
    var options = ["hash-algo": algorithm]
    for (name, option) in PasswordHashParameters.optionsOfFields {
      if let value = try body.filled(name) { options[option] = value }
    }
    if let argon2 = try body.object("argon2Parameters") {
      for (name, option) in Self.argon2Options { options[option] = try argon2.filled(name) }
    }
    do throws(PasswordHashParametersError) {
      passwords = PasswordImport(try PasswordHashParameters(options: options))
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

  /// The password columns of the upload's records.
  var columns: PasswordColumns {
    isEmulator
      ? PasswordColumns(
        stored: { columns throws(RecordFault) in Self.emulated(columns.hash, salt: columns.salt) },
        columns: { PasswordColumns.Columns(hash: $0) })
      : .importing(passwords)
  }

  /// A hash of the emulator's own works; any other one is kept to be shown again, and lets nobody in.
  private static func emulated(_ hash: String, salt: String?) -> String {
    guard EmulatedHash(hash) == nil,
      let kept = try? ImportedPasswordHash(
        parameterSetID: "0000000000000000", salt: salt ?? "", hash: hash)
    else { return hash }
    return kept.encoded
  }
}
