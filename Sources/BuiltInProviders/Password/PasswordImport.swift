public import AuthCore
import Foundation
import NIOConcurrencyHelpers

/// Reads the passwords of one import from any source.
///
/// There is one reading of hashes, salts and parameters, so that a file, `accounts:batchCreate` and the emulator's
/// exports give the same accounts.
public final class PasswordImport: Sendable {
  /// Parameters with their ID, which is expensive to compute.
  private struct Named {
    let id: String
    let parameters: PasswordHashParameters
  }

  /// The parameters that were read so far.
  private struct Read {
    /// The parameters that records gave themselves.
    var ofRecords: [JSONValue: Named] = [:]
    /// The parameters of the hashes that were read, by ID, each with the most expensive of its hashes.
    var used: [String: PasswordHashParameters] = [:]
  }

  private let given: Named?
  private let read = NIOLockedValueBox(Read())

  /// Takes the parameters of hashes whose records name none; nil accepts only records that describe themselves.
  public init(_ parameters: PasswordHashParameters?) {
    given = parameters.map { Named(id: $0.id, parameters: $0) }
  }

  /// The parameters of the hashes read so far, by ID, each with the most expensive of its hashes.
  public var parameters: [String: PasswordHashParameters] { read.withLockedValue { $0.used } }

  /// The text to store for a hash with its salt; nil if there are no parameters for the hash.
  ///
  /// A hash that AuthGraph made describes itself. For any other hash, `own` holds the parameters in its record,
  /// under the names of ``PasswordHashParameters/optionNames``, which take precedence over the import's. Throws
  /// `malformed-hash` for a hash that the algorithm cannot have made, so that the import reports it instead of the
  /// account's next sign-in.
  public func stored(
    _ hash: String, salt: String?, parameters own: JSONValue? = nil
  ) throws(PasswordHasherError) -> String? {
    let salt = salt ?? ""
    if let own = Self.ownHash(hash, beside: salt) { return own }
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

  /// Returns a hash of our own kind, which contains its salt; a salt beside it has to be the same.
  private static func ownHash(_ text: String, beside salt: String) -> String? {
    guard let bytes = Base64.bytes(lenient: text.utf8) else { return nil }
    let decoded = String(decoding: bytes, as: UTF8.self)
    guard let own = try? OwnPasswordHash(parsing: decoded) else { return nil }
    let isSame = salt.isEmpty || Base64.bytes(lenient: salt.utf8).map(Array.init) == own.salt
    return isSame ? decoded : nil
  }
}
