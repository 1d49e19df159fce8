import AuthCore
import Foundation
import LuaPlugins

/// An argument `NAME=VALUE` of the command line; the value of a secret is never written out.
///
/// `NAME=@PATH` takes the value from a file without its last line break, `NAME=env:VARIABLE` from the environment.
struct PluginInput {
  let name: String
  private let text: String

  /// Reads one option; throws `invalid-argument` if it has no name.
  init(_ option: String, field: String) throws(AuthError) {
    guard let sign = option.firstIndex(of: "="), sign > option.startIndex else {
      throw AuthError(
        .invalidArgument, "\"\(option)\" names no value.", field: field,
        remedy: "Write NAME=VALUE, NAME=@FILE or NAME=env:VARIABLE.")
    }
    name = String(option[..<sign])
    text = String(option[option.index(after: sign)...])
  }

  /// Returns the value; throws `invalid-argument` for a secret that is written out.
  func value(isSecret: Bool) throws(AuthError) -> String {
    if text.hasPrefix("@") {
      let path = String(text.dropFirst())
      let content = try InputFile.text(of: path, field: name)
      return content.hasSuffix("\n") ? String(content.dropLast()) : content
    }
    if text.hasPrefix("env:") {
      let variable = String(text.dropFirst(4))
      guard let content = getenv(variable) else {
        throw AuthError(
          .invalidArgument, "There is no variable \(variable).", field: name,
          remedy: "Set it, and export it.")
      }
      try ProgramInput.check(content, "The variable \(variable)", field: name)
      return String(cString: content)
    }
    guard !isSecret else {
      throw AuthError(
        .invalidArgument, "\(name) is secret, and other programs can read a command line.",
        field: name, remedy: "Write \(name)=@FILE or \(name)=env:VARIABLE.")
    }
    return text
  }
}

extension ConfigurationField {
  /// Converts a value of the command line to this setting's type.
  func value(of input: PluginInput) throws(AuthError) -> JSONValue {
    let text = try input.value(isSecret: type == .secret)
    switch type {
    case .text, .url, .secret: return .string(text)
    case .list:
      return .array(text.split(separator: ",").map { .string(String($0)) })
    case .flag where text == "true" || text == "false": return .bool(text == "true")
    case .number:
      if let number = Int64(text) { return .integer(number) }
    case .names, .urls:
      var members: [String: JSONValue] = [:]
      for pair in text.split(separator: ",") {
        let member = try PluginInput(String(pair), field: name)
        members[member.name] = .string(try member.value(isSecret: false))
      }
      return .object(members)
    case .flag: break
    }
    throw AuthError(
      .invalidArgument, "\(name) is no \(type.rawValue): \"\(text)\".", field: name,
      remedy: "Give true or false for a flag, digits for a number.")
  }
}
