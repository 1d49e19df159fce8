import ArgumentParser
import AuthCore
import BuiltInProviders
import Foundation

/// The parameters of a file's password hashes, by the option names of Firebase's CLI, or as a file.
struct HashOptions: ParsableArguments {
  @Option(help: "The algorithm, such as SCRYPT, BCRYPT or PBKDF2_SHA256.") var hashAlgo: String?
  @Option(help: "The key, in base64.") var hashKey: String?
  @Option(help: "The salt separator, in base64.") var saltSeparator: String?
  @Option(help: "The number of rounds.") var rounds: String?
  @Option(help: "The memory cost.") var memCost: String?
  @Option(help: "The parallelization, of STANDARD_SCRYPT.") var parallelization: String?
  @Option(help: "The block size, of STANDARD_SCRYPT.") var blockSize: String?
  @Option(help: "The length of the derived key, of STANDARD_SCRYPT.") var dkLen: String?
  @Option(help: "SALT_FIRST or PASSWORD_FIRST.") var hashInputOrder: String?
  @Option(
    help: ArgumentHelp(
      "A file with the options above: JSON with their names, or the block that Firebase's console shows.",
      valueName: "file"))
  var hashParameters: String?

  /// Returns the parameters, or nil if none are given; throws `invalid-argument` with the option.
  func parameters() throws -> PasswordHashParameters? {
    let given = [
      "hash-algo": hashAlgo, "hash-key": hashKey, "salt-separator": saltSeparator,
      "rounds": rounds, "mem-cost": memCost, "parallelization": parallelization,
      "block-size": blockSize, "dk-len": dkLen, "hash-input-order": hashInputOrder,
    ].compactMapValues(\.self)
    do {
      guard let hashParameters else {
        return given.isEmpty ? nil : try PasswordHashParameters(options: given)
      }
      guard given.isEmpty else {
        throw AuthError(
          .invalidArgument, "Hash options were given twice.", field: "hash-parameters",
          remedy: "Give --hash-parameters or the single options, not both.")
      }
      let text = try InputFile.text(of: hashParameters, field: "hash-parameters")
      return try PasswordHashParameters(json: Data(text.utf8))
    } catch let error as PasswordHashParametersError {
      throw AuthError(
        .invalidArgument, error.message, field: error.field, remedy: error.remedy)
    }
  }
}
