import AuthCore
import BuiltInProviders
import LuaRuntime

/// The library `verify`, which checks signatures of public keys over bytes.
///
/// A wrong signature is false. A key that cannot be used is nil and a message, since it may be a vendor's answer.
struct SignatureLibrary {
  let box: SessionBox

  func install(in state: LuaState) throws(LuaError) {
    let box = box
    var verify = LuaLibrary(name: "verify")
    verify.function("rsa") { try Self.check($0, box, options: ["hash", "padding"], by: Self.rsa) }
    verify.function("ecdsa") { try Self.check($0, box, options: ["hash", "form"], by: Self.ecdsa) }
    verify.function("ed25519") { try Self.check($0, box, options: []) { _, _ in (.edDSA, .raw) } }
    try state.set("verify", to: state.library(verify))
  }

  private typealias Method = (algorithm: SigningAlgorithm, form: SignatureKey.Form)

  /// Implements `verify.NAME(key, bytes, signature, options)`.
  private static func check(
    _ call: LuaCall, _ box: SessionBox, options names: [String],
    by method: (LuaTable, LuaCall) throws -> Method
  ) throws -> [LuaValue] {
    let session = try box.required(call.name)
    let options = try call.optionalTable(4, "options") ?? LuaTable()
    if let unknown = options.fields.keys.sorted().first(where: { !names.contains($0) }) {
      throw call.argumentError(
        4, "there is no option \"\(unknown)\"; \(hint(for: unknown, among: names))")
    }
    let (algorithm, form) = try method(options, call)
    let bytes = try call.bytesOrSecret(2, "bytes").bytes
    let signature = try call.bytesOrSecret(3, "signature").bytes
    // A check takes about as long as 20,000 instructions.
    try call.charge(20_000 + bytes.count / 4)
    guard let key = try key(call, session) else {
      return [.nil, .string("no public key that can be used")]
    }
    return [.bool(key.accepts(signature, of: bytes, algorithm, form: form))]
  }

  private static func key(_ call: LuaCall, _ session: PluginSession) throws -> SignatureKey? {
    guard call.typeName(1) == "table" else {
      return SignatureKey(try call.bytesOrSecret(1, "key").bytes, now: session.now)
    }
    return JSONValue(.table(try call.table(1, "key"))).flatMap { SignatureKey(jwk: $0) }
  }

  private static func rsa(_ options: LuaTable, _ call: LuaCall) throws -> Method {
    let hash = try word("hash", of: options, among: ["sha256", "sha384", "sha512"], call)
    let padding = try word("padding", of: options, among: ["pkcs1", "pss"], call)
    let algorithm: SigningAlgorithm =
      switch (padding, hash) {
      case ("pss", "sha384"): .ps384
      case ("pss", "sha512"): .ps512
      case ("pss", _): .ps256
      case (_, "sha384"): .rs384
      case (_, "sha512"): .rs512
      default: .rs256
      }
    return (algorithm, .raw)
  }

  /// Each curve has its hash: P-256 SHA-256, P-384 SHA-384 and P-521 SHA-512.
  private static func ecdsa(_ options: LuaTable, _ call: LuaCall) throws -> Method {
    let algorithm: SigningAlgorithm =
      switch try word("hash", of: options, among: ["sha256", "sha384", "sha512"], call) {
      case "sha384": .es384
      case "sha512": .es512
      default: .es256
      }
    let form = try word(
      "form", of: options, among: SignatureKey.Form.allCases.map(\.rawValue), call)
    return (algorithm, SignatureKey.Form(rawValue: form) ?? .der)
  }

  /// One of the words that an option may be; the first one if the option is missing.
  private static func word(
    _ name: String, of options: LuaTable, among words: [String], _ call: LuaCall
  ) throws -> String {
    guard !options[name].isNil else { return words.first ?? "" }
    guard let word = options[name].stringValue, words.contains(word) else {
      let list = words.map { "\"\($0)\"" }.joined(separator: ", ")
      throw call.argumentError(4, "\(name) is one of \(list)")
    }
    return word
  }
}
