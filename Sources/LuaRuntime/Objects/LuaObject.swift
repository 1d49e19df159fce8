/// A Swift value for scripts, which see only what its type shows.
public struct LuaObject: Sendable {
  /// The name of the type, as given to `LuaState.define`.
  public let type: String
  /// The Swift value.
  public let value: any Sendable
  /// The identity of the object among those of its type.
  ///
  /// A script that still holds an object of this identity gets that one again, with the new value. Two objects of one
  /// identity are therefore equal, and the same key of a table.
  public let identity: String?

  /// Creates an object of a type; without an identity it equals only itself.
  public init(type: String, value: any Sendable, identity: String? = nil) {
    self.type = type
    self.value = value
    self.identity = identity
  }

  /// The type's name without the mark that separates libraries from types of the same name.
  var displayType: String { type.hasPrefix("@") ? String(type.dropFirst()) : type }
}

/// Boxes an object; Lua's collector releases it.
final class HostObject {
  /// The newest value of its identity.
  var object: LuaObject
  private let objects: ObjectCounter

  init(_ object: LuaObject, _ objects: ObjectCounter) {
    self.object = object
    self.objects = objects
    objects.born()
  }

  deinit { objects.gone() }
}
