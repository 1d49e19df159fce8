import CArgon2
import Foundation

/// Computes Argon2 on the calling thread alone.
///
/// The number of lanes changes the result, but the number of threads does not. The hasher already keeps every core
/// busy, so lanes are computed one after another.
struct Argon2 {
  var variant = PasswordHashParameters.Argon2.Variant.id
  var version = PasswordHashParameters.Argon2.Version.v13
  var memoryKiB: Int
  var iterations: Int
  var parallelism: Int
  var length: Int
  var associatedData: [UInt8] = []

  func hash(_ password: [UInt8], salt: [UInt8]) throws(PasswordHasherError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: length)
    let status = compute(into: &output, password, salt)
    guard status == ARGON2_OK.rawValue else { throw .failed("Argon2") }
    return output
  }

  // The library reads its inputs only: without the CLEAR flags it writes to `out` alone.
  private func compute(
    into output: inout [UInt8], _ password: [UInt8], _ salt: [UInt8]
  ) -> Int32 {
    var (password, salt, associated) = (password, salt, associatedData)
    return output.withUnsafeMutableBufferPointer { output in
      password.withUnsafeMutableBufferPointer { password in
        salt.withUnsafeMutableBufferPointer { salt in
          associated.withUnsafeMutableBufferPointer { associated in
            var context = argon2_context()
            context.out = output.baseAddress
            context.outlen = UInt32(output.count)
            context.pwd = password.baseAddress
            context.pwdlen = UInt32(password.count)
            context.salt = salt.baseAddress
            context.saltlen = UInt32(salt.count)
            context.ad = associated.baseAddress
            context.adlen = UInt32(associated.count)
            context.t_cost = UInt32(iterations)
            context.m_cost = UInt32(memoryKiB)
            context.lanes = UInt32(parallelism)
            context.threads = 1
            context.version = version.number
            return argon2_ctx(&context, variant.type)
          }
        }
      }
    }
  }
}

extension LegacyHash {
  func argon2(_ password: [UInt8]) throws(PasswordHasherError) -> [UInt8] {
    guard let given = parameters.argon2 else { throw .failed("ARGON2") }
    return try Argon2(
      variant: given.variant, version: given.version, memoryKiB: given.memoryKiB,
      iterations: given.iterations, parallelism: given.parallelism, length: given.hashLength,
      associatedData: Array(given.associatedData ?? Data())
    ).hash(password, salt: salt)
  }
}

extension PasswordHashParameters.Argon2.Variant {
  fileprivate var type: argon2_type {
    switch self {
    case .d: Argon2_d
    case .i: Argon2_i
    case .id: Argon2_id
    }
  }
}

extension PasswordHashParameters.Argon2.Version {
  fileprivate var number: UInt32 {
    switch self {
    case .v10: ARGON2_VERSION_10.rawValue
    case .v13: ARGON2_VERSION_13.rawValue
    }
  }
}
