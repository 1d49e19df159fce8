/// Finds the members of the vendor's answers that an expression is made of, by their last names.
enum VendorReads {
  /// The last name on the path to each value: `id` for `me.user.id` and `pick(me, "user.id")`.
  static func names(in value: LuaExpression, _ scope: LuaScope, depth: Int = 0) -> [String] {
    guard depth < 8 else { return [] }
    func inner(_ value: LuaExpression) -> [String] { names(in: value, scope, depth: depth + 1) }
    switch value.kind {
    case .name(let name):
      guard let made = scope.local(name)?.value else { return [] }
      // The value of a local says more than its name.
      return inner(made)
    case .index(let base, let key):
      guard let name = key.textValue else { return inner(base) }
      return [name]
    case .call(_, let arguments):
      if value.callee == "pick", arguments.count == 2 {
        return path(arguments[1], scope).map { [$0] } ?? []
      }
      return arguments.flatMap { argument in
        argument.textValue.map { lastName(of: $0).map { [$0] } ?? [] } ?? inner(argument)
      }
    case .method(let base, _, _): return inner(base)
    case .unary(_, let operand): return inner(operand)
    case .binary("and", _, let right): return inner(right)
    case .binary(_, let left, let right): return inner(left) + inner(right)
    case .function(let text):
      return returned(by: text).flatMap { inner($0) }
    case .text, .number, .constant, .rest, .table: return []
    }
  }

  private static func path(_ value: LuaExpression, _ scope: LuaScope) -> String? {
    if let text = value.textValue { return lastName(of: text) }
    guard let name = value.nameValue, let made = scope.local(name)?.value else { return nil }
    return made.textValue.flatMap(lastName)
  }

  /// The last name of a path such as `data.id` or `images[1].url`.
  static func lastName(of path: String) -> String? { PluginPath(path)?.lastName }

  /// The values that a function returns anywhere in its body.
  static func returned(by function: LuaFunctionText) -> [LuaExpression] {
    function.body.flatMap(returned)
  }

  private static func returned(_ statement: LuaStatement) -> [LuaExpression] {
    switch statement.kind {
    case .returning(let values): values.first.map { [$0] } ?? []
    case .block(let body), .loop(_, let body), .repeating(let body, _), .each(_, _, let body):
      body.flatMap(returned)
    case .branch(let branches, let otherwise):
      branches.flatMap { $0.body.flatMap(returned) } + otherwise.flatMap(returned)
    default: []
    }
  }
}

extension PluginPath {
  /// The last name of the path; nil if it has only positions.
  var lastName: String? {
    for step in steps.reversed() {
      if case .name(let name) = step { return name }
    }
    return nil
  }
}

/// The names of members that people or their administrators can change.
enum MutableName {
  private static let emails: Set<String> = [
    "email", "emailaddress", "emails", "mail", "primaryemail", "accountemail", "verifiedemail",
    "confirmedemail", "defaultemail",
  ]
  private static let handles: Set<String> = [
    "username", "login", "name", "nick", "nickname", "preferredusername", "upn", "screenname",
    "handle", "displayname", "globalname", "fullname", "realname", "uniquename", "vanity",
    "phone", "phonenumber", "mobile", "personaname", "firstname", "lastname",
  ]

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter }
  }

  /// Tells whether a member is an e-mail address, by its name.
  static func isEmail(_ name: String) -> Bool { emails.contains(plain(name)) }

  /// Tells whether a member can change or pass to another person, by its name.
  static func isMutable(_ name: String) -> Bool {
    isEmail(name) || handles.contains(plain(name))
  }
}
