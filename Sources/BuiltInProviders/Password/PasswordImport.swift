public import AuthCore
import Foundation
import NIOConcurrencyHelpers

/// Reads the passwords of one import, whichever face brings it.
///
/// There is one reading of hashes, salts and parameters, so that a file, `accounts:batchCreate` and the emulator's
/// exports give the same accounts.
public final class PasswordImport: Sendable {
  /// Parameters with their name, which takes time to make.
  private struct Named {
    let id: String
    let parameters: PasswordHashParameters
  }

  /// What was read so far.
  private struct Read {
    /// The parameters that records gave themselves.
    var ofRecords: [JSONValue: Named] = [:]
    /// Those with which a hash was read, with the dearest of their hashes, by their name.
    var used: [String: PasswordHashParameters] = [:]
  }

  private let given: Named?
  private let read = NIOLockedValueBox(Read())

  /// Takes how hashes were made whose records do not say it; nil takes only those that describe themselves.
  public init(_ parameters: PasswordHashParameters?) {
    given = parameters.map { Named(id: $0.id, parameters: $0) }
  }

  /// How the hashes were made that were read so far, each with the dearest of them.
  public var parameters: [String: PasswordHashParameters] { read.withLockedValue { $0.used } }

  /// The text to store for a hash with its salt; nil for a hash of which nothing says how it was made.
  ///
  /// A hash that AuthGraph made describes itself; of another, `own` are the parameters that its record gives, under the
  /// names of ``PasswordHashParameters/optionNames``. They count before those of the import. Throws `malformed-hash` for
  /// one that the algorithm cannot have made, so that it is reported now and not when its owner signs in.
  public func stored(
    _ hash: String, salt: String?, parameters own: JSONValue? = nil
  ) throws(PasswordHasherError) -> String? {
    let salt = salt ?? ""
    if salt.isEmpty, let own = Self.ownHash(hash) { return own }
    let named: Named? = if let own { try ofRecord(own) } else { given }
    guard let named else { return nil }
    let imported = try ImportedPasswordHash(parameterSetID: named.id, salt: salt, hash: hash)
    let shape = try LegacyHash(imported, named.parameters).shape
    read.withLockedValue { read in
      guard let shape else {
        if read.used[named.id] == nil { read.used[named.id] = named.parameters }
        return
      }
      guard read.used[named.id]?.dearest ?? 0 < shape else { return }
      var parameters = named.parameters
      parameters.dearest = shape
      read.used[named.id] = parameters
    }
    return imported.encoded
  }

  private func ofRecord(_ own: JSONValue) throws(PasswordHasherError) -> Named {
    if let known = read.withLockedValue({ $0.ofRecords[own] }) { return known }
    let parameters: PasswordHashParameters
    do throws(PasswordHashParametersError) {
      parameters = try PasswordHashParameters(json: Data(JSONWriter.bytes(of: own)))
    } catch {
      throw PasswordHasherError(
        code: .unknownParameters,
        message: "The record's hashParameters are none (\(error.field)): \(error.message)",
        remedy: error.remedy)
    }
    let named = Named(id: parameters.id, parameters: parameters)
    read.withLockedValue { $0.ofRecords[own] = named }
    return named
  }

  private static func ownHash(_ text: String) -> String? {
    guard let bytes = Base64.bytes(lenient: text.utf8) else { return nil }
    let decoded = String(decoding: bytes, as: UTF8.self)
    return PasswordHasher.isOwnHash(decoded) ? decoded : nil
  }
}
