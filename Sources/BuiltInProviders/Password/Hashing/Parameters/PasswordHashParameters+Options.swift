public import AuthCore
public import Foundation

extension PasswordHashParameters {
  /// The option names of a parameter file and of the command line.
  ///
  /// The first nine are those of Firebase's command line. It has none for Argon2, so the others follow the names of
  /// the REST fields.
  public static let optionNames = [
    "hash-algo", "hash-key", "salt-separator", "rounds", "mem-cost", "parallelization",
    "block-size", "dk-len", "hash-input-order", "argon2-hash-type", "argon2-hash-length-bytes",
    "argon2-iterations", "argon2-parallelism", "argon2-memory-cost-kib", "argon2-version",
    "argon2-associated-data",
  ]

  /// Reads a parameter file: a JSON object with the names of the command line, of the REST interface or of
  /// Firebase's console, or the block copied from the console.
  ///
  /// `published-vector` and names that begin with `$` or `_` are notes and are skipped. Any other unknown name is
  /// refused, because a mistyped name would change the computation.
  public init(json: Data) throws(PasswordHashParametersError) {
    let values: [String: FileValue]
    if let object = try? JSONDecoder().decode(FileObject.self, from: json) {
      values = object.values
    } else if let block = ConsoleBlock(String(decoding: json, as: UTF8.self)) {
      values = block.values.mapValues(FileValue.text)
    } else {
      throw PasswordHashParametersError(
        field: "hash parameters", message: "This is not a JSON object.",
        remedy: "Write {\"hash-algo\": \"SCRYPT\", …}, or paste the block of Firebase's console.")
    }
    var options: [String: String] = [:]
    for (given, value) in values.sorted(by: { $0.key < $1.key }) where !Self.isNote(given) {
      let name = Self.furtherNames[given.camelCased] ?? given
      switch value {
      case .text(let text):
        guard options.updateValue(text, forKey: name) == nil else {
          throw PasswordHashParametersError(
            field: given, message: "It is given under two names.", remedy: "Keep one of them.")
        }
      case .null: break
      case .other:
        try Self.refuseUnknown(name)
        throw PasswordHashParametersError(
          field: given, message: "It is neither a text nor a whole number.",
          remedy: "Write a text in quotes, or a whole number.")
      }
    }
    try self.init(options: options)
  }

  /// The options of the fields of `accounts:batchCreate`.
  public static let optionsOfFields = [
    "hashAlgorithm": "hash-algo", "signerKey": "hash-key", "saltSeparator": "salt-separator",
    "rounds": "rounds", "memoryCost": "mem-cost", "cpuMemCost": "mem-cost",
    "parallelization": "parallelization", "blockSize": "block-size", "dkLen": "dk-len",
    "passwordHashOrder": "hash-input-order",
  ]

  /// The options of the camelCase names in Firebase's console and the REST interface.
  private static let furtherNames = optionsOfFields.merging([
    "algorithm": "hash-algo", "base64SignerKey": "hash-key",
    "base64SaltSeparator": "salt-separator", "memCost": "mem-cost",
  ]) { $1 }

  /// The parameters under the names of the command line, as ``init(json:)`` reads them.
  public var optionValues: [String: JSONValue] {
    let numbers: [String: Int?] = [
      "rounds": rounds, "mem-cost": memoryCost, "parallelization": parallelization,
      "block-size": blockSize, "dk-len": dkLen, "argon2-hash-length-bytes": argon2?.hashLength,
      "argon2-iterations": argon2?.iterations, "argon2-parallelism": argon2?.parallelism,
      "argon2-memory-cost-kib": argon2?.memoryKiB,
    ]
    let texts: [String: String?] = [
      "hash-algo": algorithm.rawValue, "hash-key": key?.base64EncodedString(),
      "salt-separator": saltSeparator?.base64EncodedString(),
      "hash-input-order": inputOrder?.rawValue, "argon2-hash-type": argon2?.variant.rawValue,
      "argon2-version": argon2?.version.rawValue,
      "argon2-associated-data": argon2?.associatedData?.base64EncodedString(),
    ]
    return numbers.compactMapValues { $0.map { .integer(Int64($0)) } }
      .merging(texts.compactMapValues { $0.map(JSONValue.string) }) { $1 }
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

/// A value of a parameter file, in which `8` and `"8"` mean the same.
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

/// The values of a parameter file, also those inside a `hash_config` as in the project's configuration.
private struct FileObject: Decodable {
  let values: [String: FileValue]

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let outer = try? container.decode([String: [String: FileValue]].self), outer.count == 1,
      let inner = outer["hash_config"] ?? outer["hashConfig"]
    {
      values = inner
    } else {
      values = try container.decode([String: FileValue].self)
    }
  }
}

/// The block of a project's parameters as Firebase's console shows it.
///
/// It looks like `hash_config { algorithm: SCRYPT, base64_signer_key: …, rounds: 8, mem_cost: 14, }`.
private struct ConsoleBlock {
  let values: [String: String]

  init?(_ text: String) {
    guard
      let block = text.wholeMatch(of: /\uFEFF?\s*(?:hash_config\s*:?\s*)?\{(?<body>[^{}]*)\}\s*/)
    else { return nil }
    var values: [String: String] = [:]
    for line in block.body.split(whereSeparator: { $0 == "," || $0.isNewline }) {
      guard !line.allSatisfy(\.isWhitespace) else { continue }
      guard let pair = line.wholeMatch(of: /\s*"?([A-Za-z0-9_]+)"?\s*:\s*"?([^"\s]+)"?\s*/),
        values.updateValue(String(pair.2), forKey: String(pair.1)) == nil
      else { return nil }
    }
    guard !values.isEmpty else { return nil }
    self.values = values
  }
}
