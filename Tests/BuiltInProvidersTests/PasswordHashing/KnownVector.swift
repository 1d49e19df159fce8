import BuiltInProviders
import Foundation
import Testing
import TestSupport

/// A password with the hash that other software computes for it.
struct KnownVector: Sendable, CustomTestStringConvertible {
  let source: String
  let parameters: PasswordHashParameters
  var password = "correct horse"
  var salt = "cGVwcGVyJnNhbHQh"  // pepper&salt!
  let hash: String

  var testDescription: String { "\(parameters.algorithm.rawValue), \(source)" }

  /// Expects the password to match and others not to.
  func check() async throws {
    let hasher = PasswordHasher()
    let stored = try ImportedPasswordHash(salt: salt, hash: hash, parameters: parameters).encoded

    #expect(
      try await hasher.verify(password, against: stored, imported: [parameters])
        == .match(rehashNeeded: true))
    #expect(
      try await hasher.verify(password + "r", against: stored, imported: [parameters]) == .mismatch)
  }

  static func base64(hex: String) -> String { Data(hex: hex).base64EncodedString() }

  static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}

/// Makes a value for a table of vectors, in which a failure is an error of the table.
func sure<Value>(_ make: () throws -> Value) -> Value {
  do {
    return try make()
  } catch {
    fatalError("A vector has impossible parameters: \(error)")
  }
}
