import AuthCore
import Foundation

/// Converts the texts of options into values, and explains what is wrong with a bad one.
struct OptionReader {
  let options: [String: String]

  func number(_ name: String) throws(PasswordHashParametersError) -> Int? {
    guard let text = options[name] else { return nil }
    guard let number = Int(text) else {
      throw PasswordHashParametersError(
        field: name, message: "It is not a whole number.", remedy: "Write digits only.")
    }
    return number
  }

  private func requiredNumber(_ name: String) throws(PasswordHashParametersError) -> Int {
    try Self.required(number(name), name)
  }

  /// Keeps the text itself out of the error, because it may be a key.
  func bytes(_ name: String) throws(PasswordHashParametersError) -> Data? {
    guard let text = options[name] else { return nil }
    guard let bytes = Base64.bytes(lenient: text.utf8) else {
      throw PasswordHashParametersError(
        field: name, message: "It is not base64.",
        remedy: "Copy it from the project's password hash parameters.")
    }
    return Data(bytes)
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ type: Choice.Type
  ) throws(PasswordHashParametersError) -> Choice? {
    guard let text = options[name] else { return nil }
    if let choice = Choice(rawValue: text.uppercased()) { return choice }
    let names = Choice.allCases.map(\.rawValue)
    throw PasswordHashParametersError(
      field: name,
      message: "There is no such value. It is one of \(names.joined(separator: ", ")).",
      remedy: suggestion(for: text.uppercased(), among: names))
  }

  /// Reads an order under any of its names; the REST value for an unspecified order gives nil.
  func inputOrder(
    _ name: String
  ) throws(PasswordHashParametersError) -> PasswordHashParameters.InputOrder? {
    guard let text = options[name], text.uppercased() != "UNSPECIFIED_ORDER" else { return nil }
    if let order = PasswordHashParameters.InputOrder(named: text) { return order }
    return try choice(name, PasswordHashParameters.InputOrder.self)
  }

  /// Reads the Argon2 group: all of it, or nil if none of its options is given.
  func argon2() throws(PasswordHashParametersError) -> PasswordHashParameters.Argon2? {
    guard options.keys.contains(where: { $0.hasPrefix("argon2-") }) else { return nil }
    return PasswordHashParameters.Argon2(
      variant: try Self.required(
        choice("argon2-hash-type", PasswordHashParameters.Argon2.Variant.self), "argon2-hash-type"),
      hashLength: try requiredNumber("argon2-hash-length-bytes"),
      iterations: try requiredNumber("argon2-iterations"),
      parallelism: try requiredNumber("argon2-parallelism"),
      memoryKiB: try requiredNumber("argon2-memory-cost-kib"),
      version: try choice("argon2-version", PasswordHashParameters.Argon2.Version.self) ?? .v13,
      associatedData: try bytes("argon2-associated-data"))
  }

  /// Refuses the absence of an option without a default.
  static func required<Value>(
    _ value: Value?, _ name: String
  ) throws(PasswordHashParametersError) -> Value {
    guard let value else {
      throw PasswordHashParametersError(
        field: name, message: "It is missing.", remedy: "Give it in the file or as --\(name).")
    }
    return value
  }
}
