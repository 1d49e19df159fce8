import AuthCore
public import Foundation

extension PasswordHashParameters {
  /// Lists the names that a parameter file and the command line take.
  ///
  /// The first nine are those of Firebase's command line. It has none for Argon2, so these follow
  /// the names of the REST fields.
  public static let optionNames = [
    "hash-algo", "hash-key", "salt-separator", "rounds", "mem-cost", "parallelization",
    "block-size", "dk-len", "hash-input-order", "argon2-hash-type", "argon2-hash-length-bytes",
    "argon2-iterations", "argon2-parallelism", "argon2-memory-cost-kib", "argon2-version",
    "argon2-associated-data",
  ]

  /// Reads a parameter file: one JSON object with the names of the command line.
  ///
  /// `published-vector` and names that begin with `$` or `_` are notes and skipped.
  /// Any other unknown name is refused, for a mistyped one would change what is computed.
  public init(json: Data) throws(PasswordHashParametersError) {
    let values: [String: FileValue]
    do {
      values = try JSONDecoder().decode([String: FileValue].self, from: json)
    } catch {
      throw PasswordHashParametersError(
        field: "hash parameters", message: "This is not a JSON object.",
        remedy: "Write {\"hash-algo\": \"SCRYPT\", …}.")
    }
    var options: [String: String] = [:]
    for (name, value) in values.sorted(by: { $0.key < $1.key }) where !Self.isNote(name) {
      switch value {
      case .text(let text): options[name] = text
      case .null: break
      case .other:
        try Self.refuseUnknown(name)
        throw PasswordHashParametersError(
          field: name, message: "It is neither a text nor a whole number.",
          remedy: "Write a text in quotes, or a whole number.")
      }
    }
    try self.init(options: options)
  }

  /// Reads options of the command line, named without their dashes.
  public init(options: [String: String]) throws(PasswordHashParametersError) {
    for name in options.keys.sorted() { try Self.refuseUnknown(name) }
    let reader = OptionReader(options: options)
    try self.init(
      algorithm: OptionReader.required(
        reader.choice("hash-algo", Algorithm.self), "hash-algo"),
      key: reader.bytes("hash-key"),
      saltSeparator: reader.bytes("salt-separator"),
      rounds: reader.number("rounds"),
      memoryCost: reader.number("mem-cost"),
      parallelization: reader.number("parallelization"),
      blockSize: reader.number("block-size"),
      dkLen: reader.number("dk-len"),
      inputOrder: reader.inputOrder("hash-input-order"),
      argon2: reader.argon2())
  }

  private static func isNote(_ name: String) -> Bool {
    name == "published-vector" || name.hasPrefix("$") || name.hasPrefix("_")
  }

  private static func refuseUnknown(_ name: String) throws(PasswordHashParametersError) {
    guard !optionNames.contains(name) else { return }
    throw PasswordHashParametersError(
      field: name, message: "There is no such parameter.",
      remedy: suggestion(for: name, among: optionNames))
  }
}

/// Reads one value of a parameter file, where `8` and `"8"` mean the same.
private enum FileValue: Decodable {
  case text(String)
  case null
  case other

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let number = try? value.decode(Int.self) {
      self = .text(String(number))
    } else {
      self = .other
    }
  }
}
