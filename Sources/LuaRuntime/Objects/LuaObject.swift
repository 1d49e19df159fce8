/// Hands a Swift value to scripts, who see only what its type shows.
public struct LuaObject: Sendable {
  /// Names the type, as given to `LuaState.define`.
  public let type: String
  /// Holds the Swift value.
  public let value: any Sendable

  /// Creates an object of a type.
  public init(type: String, value: any Sendable) {
    self.type = type
    self.value = value
  }

  /// Drops the mark that keeps namespaces apart from types of the same name.
  var displayType: String { type.hasPrefix("@") ? String(type.dropFirst()) : type }
}

/// Boxes an object; Lua's collector releases it.
final class HostObject {
  let object: LuaObject
  private let boxes: LiveBoxes

  init(_ object: LuaObject, _ boxes: LiveBoxes) {
    self.object = object
    self.boxes = boxes
    boxes.born()
  }

  deinit { boxes.gone() }
}
