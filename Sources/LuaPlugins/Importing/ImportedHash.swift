import AuthCore
import BuiltInProviders

/// The password hash that an importer's function returned: the text of the old system, or its parts.
struct ImportedHash {
  /// The columns of a record.
  let columns: [String: JSONValue]

  init(_ value: JSONValue) throws(AuthError) {
    switch value {
    case .string(let text): columns = try Self.columns(of: text)
    case .object(let parts): columns = try Self.columns(of: parts)
    default:
      throw .refusedRow(
        "passwordHash is neither a text nor a table.", field: "passwordHash",
        remedy: "Return the hash as the old system stores it, or { algorithm = …, hash = … }.")
    }
  }

  private static func columns(of text: String) throws(AuthError) -> [String: JSONValue] {
    do throws(PasswordHasherError) {
      let encoded = try EncodedHash(text)
      var columns: [String: JSONValue] = [
        "passwordHash": .string(encoded.hash), "hashParameters": .object(encoded.parameters),
      ]
      columns["salt"] = encoded.salt.map(JSONValue.string)
      return columns
    } catch {
      throw .refusedRow(
        error.message, field: "passwordHash", remedy: error.remedy, cause: error)
    }
  }

  private static func columns(
    of parts: [String: JSONValue]
  ) throws(AuthError) -> [String: JSONValue] {
    guard case .string(let algorithm)? = parts["algorithm"], case .string(let hash)? = parts["hash"]
    else {
      throw .refusedRow(
        "passwordHash has no algorithm or no hash.", field: "passwordHash",
        remedy: "Give { algorithm = \"PBKDF2_SHA256\", hash = base64, salt = base64, rounds = … }.")
    }
    var parameters = parts.filter { !["algorithm", "hash", "salt"].contains($0.key) }
    parameters["hash-algo"] = .string(algorithm)
    var columns: [String: JSONValue] = [
      "passwordHash": .string(hash), "hashParameters": .object(parameters),
    ]
    if case .string(let salt)? = parts["salt"] { columns["salt"] = .string(salt) }
    return columns
  }
}
