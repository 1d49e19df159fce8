import AuthCore
import BuiltInProviders
import LuaRuntime

/// The answer of a token endpoint, for mappings and functions.
///
/// A path in a mapping names it as `$token`. The engine removes a member of that name from every profile, so that no
/// vendor and no person can put one there.
enum TokenAnswer {
  static let member = "$token"

  /// A path as it is written, with `$token` as the name of a member.
  static func path(_ text: String) -> String {
    guard text.hasPrefix(member + ".") else { return text }
    return "[\"\(member)\"]" + text.dropFirst(member.count)
  }

  /// A profile with the answer in it, without the answer's secrets.
  static func profile(_ profile: JSONValue, with answer: JSONValue?) -> JSONValue {
    guard case .object(var members) = profile else { return profile }
    members[member] = answer.map(plain)
    return .object(members)
  }

  /// The answer without its secrets.
  private static func plain(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      .object(members.filter { !isSecret($0.key) }.mapValues(plain))
    case .array(let elements): .array(elements.map(plain))
    default: value
    }
  }

  /// The answer as a table, whose secrets are opaque.
  static func lua(_ value: JSONValue) -> LuaValue {
    switch value {
    case .object(let members):
      var table = LuaTable()
      for (name, value) in members {
        if isSecret(name), let text = value.stringValue {
          table[name] = .secret(LuaSecret(text))
        } else {
          table[name] = lua(value)
        }
      }
      return .table(table)
    case .array(let elements):
      return .table(LuaTable(array: elements.map { $0 == .null ? .null : lua($0) }))
    default: return value.luaWithoutNulls
    }
  }

  /// Tells whether a member is a token or a secret, by the vendor's name for it.
  private static func isSecret(_ name: String) -> Bool {
    let plain = name.lowercased().filter(\.isLetter)
    return ["token", "secret", "password", "key", "ticket", "assertion"].contains(
      where: plain.hasSuffix)
  }
}
