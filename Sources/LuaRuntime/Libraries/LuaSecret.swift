import CLuaShim

/// Bytes that scripts may use but never see, such as a client secret.
///
/// A script can pass a secret to host functions that accept one. It has no fields, cannot be joined to text, and
/// describes itself as ``mask``.
public struct LuaSecret: Sendable, Equatable {
  /// The name of the type of objects that carry secrets.
  public static let typeName = "secret"
  /// The text that is shown in place of the bytes.
  public static let mask = "•••"

  /// The bytes.
  public let bytes: [UInt8]

  /// Wraps bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Wraps a text.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// The text, if the bytes are valid UTF-8.
  public var text: String? { String(validating: bytes, as: UTF8.self) }
}

extension LuaSecret: CustomStringConvertible, CustomReflectable {
  /// Shows nothing of the bytes.
  public var description: String { Self.mask }
  /// Shows nothing of the bytes.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension LuaValue {
  /// Makes the object that carries a secret.
  public static func secret(_ secret: LuaSecret) -> LuaValue {
    .object(LuaObject(type: LuaSecret.typeName, value: secret))
  }

  /// The secret, if the value is one.
  public var secretValue: LuaSecret? { objectValue?.value as? LuaSecret }
}

extension LuaCall {
  /// Reads bytes that may be a secret.
  package func bytesOrSecret(_ index: Int, _ name: String) throws -> (
    bytes: [UInt8], isSecret: Bool
  ) {
    if let object = try? object(index, LuaSecret.typeName), let secret = object.value as? LuaSecret
    {
      return (secret.bytes, true)
    }
    return (try bytes(index, name), false)
  }
}

extension LuaState {
  func defineSecrets() {
    var type = LuaObjectType(name: LuaSecret.typeName)
    type.describe = { _ in LuaSecret.mask }
    type.refusesSet = "a secret is read-only"
    // A plug-in would send or sign the mask in place of the secret. At a console, people look at it.
    if profile != .console {
      type.refusesText =
        "a secret cannot become a text; give it to http, hash or url.escape as it is, or join it by secret.join"
    }
    define(type)
    // Only the console encodes a secret as its mask: it shows JSON. A plug-in would send the mask instead of the
    // secret.
    guard profile == .console, let metatable = behaviors[LuaSecret.typeName]?.metatable else {
      return
    }
    ls_push_ref(current, metatable.index)
    Self.push(LuaSecret.mask, current)
    lua_setfield(current, -2, "__mask")
    ls_pop(current, 1)
  }
}
