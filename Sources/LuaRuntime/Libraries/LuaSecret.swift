/// Holds bytes that scripts may use and never see, such as a client secret.
///
/// A script can pass it on to functions of the host that take it. It has no fields, cannot be joined to
/// text, and describes itself as `•••`.
public struct LuaSecret: Sendable, Equatable {
  /// Names the type of the objects that carry secrets.
  public static let typeName = "secret"

  /// Holds the bytes.
  public let bytes: [UInt8]

  /// Keeps bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Keeps a text.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// Holds the text, where the bytes are one.
  public var text: String? { String(validating: bytes, as: UTF8.self) }
}

extension LuaSecret: CustomStringConvertible, CustomReflectable {
  /// Shows nothing of the bytes.
  public var description: String { "•••" }
  /// Shows nothing of the bytes.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension LuaValue {
  /// Makes the object that carries a secret.
  public static func secret(_ secret: LuaSecret) -> LuaValue {
    .object(LuaObject(type: LuaSecret.typeName, value: secret))
  }

  /// Holds the secret, if it is one.
  public var secretValue: LuaSecret? { objectValue?.value as? LuaSecret }
}

extension LuaCall {
  /// Reads bytes that may be a secret.
  func bytesOrSecret(_ index: Int, _ name: String) throws -> (bytes: [UInt8], isSecret: Bool) {
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
    type.describe = { _ in "•••" }
    type.refusesSet = "a secret is read-only"
    define(type)
  }
}
