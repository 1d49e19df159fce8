import AuthCore
import LuaRuntime

/// The library `url`, which writes and parses addresses and forms.
enum URLLibrary {
  static func install(in state: LuaState) throws(LuaError) {
    var url = LuaLibrary(name: "url")
    url.function("escape") { call in
      let (bytes, isSecret) = try call.bytesOrSecret(1, "text")
      try call.charge(bytes.count / 4)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw call.argumentError(1, "a text expected, got bytes that are not UTF-8")
      }
      let escaped = URLText.escaped(text)
      return [isSecret ? .secret(LuaSecret(escaped)) : .string(escaped)]
    }
    url.function("form") { call in
      let fields = try call.table(1, "fields").fields.sorted { $0.key < $1.key }
        .map { (name: $0.key, value: try RequestText.text($0.value, of: $0.key)) }
      try call.charge(fields.reduce(0) { $0 + $1.value.utf8.count } / 4)
      return [.string(URLText.form(fields))]
    }
    url.function("query") { call in
      let text = try call.string(1, "text")
      try call.charge(text.utf8.count / 4)
      let query = text.hasPrefix("?") ? text : "?\(text)"
      return [fields(URLText.query(of: "https://query.invalid/\(query)"))]
    }
    url.function("parse") { call in
      let text = try call.string(1, "text")
      try call.charge(text.utf8.count / 4)
      guard let host = URLText.host(of: text), let scheme = text.firstRange(of: "://") else {
        return [.nil]
      }
      let parts = host.split(separator: ":", maxSplits: 1)
      let rest = text[scheme.upperBound...].drop { !"/?#".contains($0) }
      var table = LuaTable()
      table["scheme"] = .string(text[..<scheme.lowerBound].lowercased())
      table["host"] = .string(String(parts[0]))
      table["port"] = parts.count > 1 ? .optional(Int64(parts[1])) : .nil
      table["path"] = .string(String(rest.prefix { !"?#".contains($0) }))
      table["query"] = fields(URLText.query(of: text))
      return [.table(table)]
    }
    try state.set("url", to: state.library(url))
  }

  /// Converts the fields of a query; nil if a name is repeated, which makes it ambiguous.
  private static func fields(_ query: [String: String]?) -> LuaValue {
    query.map { .table(LuaTable(fields: $0.mapValues { .string($0) })) } ?? .nil
  }
}

/// Converts texts of requests, which may be secrets.
enum RequestText {
  /// Converts a text, a number, a boolean or a secret for sending.
  static func sent(_ value: LuaValue, of name: String) throws -> String {
    if let secret = value.secretValue {
      guard let text = secret.text else {
        throw LuaArgumentError("\(name) is a secret of bytes, which cannot be sent as text")
      }
      return text
    }
    return try text(value, of: name)
  }

  static func text(_ value: LuaValue, of name: String) throws -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    default: throw LuaArgumentError("\(name) is \(value.typeName), not a text")
    }
  }
}
