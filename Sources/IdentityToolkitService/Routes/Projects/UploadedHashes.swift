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

  let parameters: PasswordHashParameters?
  private let isEmulator: Bool

  /// Reads the parameters of production's uploads; the emulator takes hashes as they are.
  ///
  /// Throws `INVALID_HASH_PARAMETERS` naming the one at fault.
  init(_ body: WireFields, isEmulator: Bool) throws {
    self.isEmulator = isEmulator
    guard !isEmulator, let algorithm = try body.filled("hashAlgorithm") else {
      parameters = nil
      return
    }
    var options = ["hash-algo": algorithm]
    for (name, option) in Self.options {
      if let value = try body.filled(name) { options[option] = value }
    }
    if let order = try body.filled("passwordHashOrder"), order != "UNSPECIFIED_ORDER" {
      options["hash-input-order"] = order
    }
    if let argon2 = try body.object("argon2Parameters") {
      for (name, option) in Self.argon2Options { options[option] = try argon2.filled(name) }
    }
    do throws(PasswordHashParametersError) {
      parameters = try PasswordHashParameters(options: options)
    } catch {
      throw WireError("INVALID_HASH_PARAMETERS", error.description)
    }
  }

  private static let options = [
    "signerKey": "hash-key", "saltSeparator": "salt-separator", "rounds": "rounds",
    "memoryCost": "mem-cost", "cpuMemCost": "mem-cost", "parallelization": "parallelization",
    "blockSize": "block-size", "dkLen": "dk-len",
  ]

  private static let argon2Options = [
    "hashType": "argon2-hash-type", "hashLengthBytes": "argon2-hash-length-bytes",
    "iterations": "argon2-iterations", "parallelism": "argon2-parallelism",
    "memoryCostKib": "argon2-memory-cost-kib", "version": "argon2-version",
    "associatedData": "argon2-associated-data",
  ]

  /// The stored form of a hash with its salt; throws what is wrong with it.
  func stored(_ hash: String, salt: String?) throws(UploadFault) -> String {
    if isEmulator { return Self.emulated(hash, salt: salt) }
    if salt == nil, let own = Self.ownHash(hash) { return own }
    guard let parameters else {
      throw UploadFault("Password hash is given without the hash algorithm it was made with.")
    }
    do throws(PasswordHasherError) {
      return try ImportedPasswordHash(salt: salt ?? "", hash: hash, parameters: parameters).encoded
    } catch {
      throw UploadFault("Password hash is invalid: \(error.message)")
    }
  }

  /// A hash of the emulator's own works; any other one is kept to be shown again, and lets nobody in.
  private static func emulated(_ hash: String, salt: String?) -> String {
    guard EmulatedHash(hash) == nil,
      let kept = try? ImportedPasswordHash(
        parameterSetID: "0000000000000000", salt: salt ?? "", hash: hash)
    else { return hash }
    return kept.encoded
  }

  /// What this server exported: a hash that says itself how it was made.
  private static func ownHash(_ text: String) -> String? {
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    guard let data = Data(base64Encoded: base64) else { return nil }
    let decoded = String(decoding: data, as: UTF8.self)
    return PasswordHasher.isOwnHash(decoded) ? decoded : nil
  }
}

/// Why one account of an upload is left out, as the answer says it.
struct UploadFault: Error, Hashable {
  let message: String

  init(_ message: String) { self.message = message }
}
