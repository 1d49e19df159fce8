import AuthCore
import LuaRuntime

/// A reference to a secret setting of a provider in the store, without the secret itself.
struct KeptSecret: Sendable, Equatable {
  let provider: ProviderID
  let field: String
}

/// A `secret` of the console: one that was entered, or one that the store keeps.
///
/// Scripts can pass it on. It prints as a mask.
enum ConsoleSecret {
  case given(Secret<String>)
  case kept(KeptSecret)

  /// Reads a value; nil if it is no `secret`.
  ///
  /// Throws `invalid-argument` for bytes that are not text.
  init?(_ value: LuaValue) throws(AuthError) {
    guard case .object(let object) = value, object.type == LuaSecret.typeName else { return nil }
    switch object.value {
    case let kept as KeptSecret: self = .kept(kept)
    case let secret as LuaSecret:
      guard let text = secret.text else {
        throw AuthError(
          .invalidArgument, "The secret is not text in UTF-8.", remedy: "Ask for it with secret().")
      }
      self = .given(Secret(text))
    default: return nil
    }
  }

  var lua: LuaValue {
    switch self {
    case .given(let secret): .secret(LuaSecret(secret.reveal()))
    case .kept(let kept): .object(LuaObject(type: LuaSecret.typeName, value: kept))
    }
  }

  /// Returns the value for a setting.
  ///
  /// For a kept secret it is the placeholder, which leaves the stored secret unchanged.
  ///
  /// Throws `invalid-argument` if the secret is kept for another setting.
  func value(for field: String, of provider: ProviderID) throws(AuthError) -> Secret<String> {
    switch self {
    case .given(let secret): return secret
    case .kept(KeptSecret(provider: provider, field: field)):
      return Secret(SecretPlaceholder.text)
    case .kept(let other):
      throw AuthError(
        .invalidArgument,
        "\(field) cannot use the kept \(other.field) of \(other.provider).",
        field: field, remedy: "Give the secret itself, or leave \(field) out.")
    }
  }
}

extension LuaTable {
  /// Returns a secret text: written out, or entered with `secret()`.
  func secretText(_ name: String) throws(AuthError) -> Secret<String>? {
    guard let secret = try ConsoleSecret(self[name]) else {
      return try text(name).map { Secret($0) }
    }
    return try secret.given(for: name)
  }
}

extension ConsoleSecret {
  /// Returns the secret itself; throws `invalid-argument` for a kept one, which cannot be read.
  func given(for field: String) throws(AuthError) -> Secret<String> {
    guard case .given(let secret) = self else {
      throw AuthError(
        .invalidArgument, "\(field) is a kept secret, which only its own setting can use.",
        field: field,
        remedy: "Give the secret itself, or ask for it with secret().")
    }
    return secret
  }
}

extension LuaCall {
  /// Returns a secret text from an argument: written out, or entered with `secret()`.
  func secretText(_ index: Int, _ name: String) throws -> Secret<String> {
    guard let secret = try ConsoleSecret(try value(index)) else {
      return Secret(try string(index, name))
    }
    return try secret.given(for: name)
  }
}
