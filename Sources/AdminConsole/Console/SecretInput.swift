import AuthCore
import LuaRuntime

/// Detects inputs that may hold a secret, which the history file must not keep.
///
/// A mistyped secret is still a secret, so names that resemble those of secrets count. When in doubt, an input is left
/// out.
struct SecretInput {
  private let names: SecretNames
  /// The functions whose positional arguments are secrets.
  private static let taking = ["credential", "resolve", "finish", "callback", "signIn", "signUp"]
  /// The functions that take secrets in a table, and may by mistake get one as a positional argument.
  private static let tabled = ["create", "update", "configure", "link"]

  init(_ providers: ProviderRegistry) {
    names = SecretNames(providers)
  }

  /// Tells whether an input may hold a secret, the code of a second factor or a callback.
  func isSecret(_ code: String) -> Bool {
    let tokens = InputToken.all(in: code)
    return tokens.indices.contains { place in
      givesField(tokens, place) || names(tokens, place) || isText(tokens[place])
        || calls(Self.taking, tokens, place) != nil
    }
  }

  /// Tells whether an input may have been meant to hold a secret, judging by the error that it caused.
  func isSecret(_ code: String, failed error: LuaError) -> Bool {
    guard !isSecret(code) else { return true }
    let tokens = InputToken.all(in: code)
    if error.code == .syntax {
      return tokens.contains { $0.kind == .name && names.isCertain($0.text) }
    }
    guard tokens.contains(where: { $0.kind == .text || $0.kind == .number }) else { return false }
    if tokens.indices.contains(where: { isPositional(tokens, $0) }) { return true }
    return isAboutSecret(ErrorText(error))
  }

  private func isAboutSecret(_ error: ErrorText) -> Bool {
    // Other errors name the provider of passwords rather than a field.
    guard error.field != "providerID", error.code != "last-sign-in-method" else { return false }
    let text = "\(error.message) \(error.remedy ?? "")".replacing("secret()", with: "")
    let quoted = text.matches(of: #/"([A-Za-z]+)"/#).map { String($0.output.1) }
    if ([error.field].compactMap(\.self) + quoted).contains(where: names.mayName) { return true }
    return text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      .contains { names.isCertain(String($0)) }
  }

  /// Matches `password = …` and `["password"] = …`, unless the value is nil, json.null or secret().
  private func givesField(_ tokens: [InputToken], _ place: Int) -> Bool {
    let token = tokens[place]
    guard token.kind == .name || token.kind == .text, names.mayName(token.text) else {
      return false
    }
    var next = place + 1
    if token.kind == .text {
      guard tokens.at(next)?.isSymbol("]") == true else { return false }
      next += 1
    }
    guard tokens.at(next)?.isSymbol("=") == true else { return false }
    return !isHarmless(tokens[(next + 1)...])
  }

  private func isHarmless(_ value: ArraySlice<InputToken>) -> Bool {
    let words = value.prefix(3).map(\.text)
    return words.first == "nil" || words == ["secret", "(", ")"]
      || words == ["json", ".", "null"]
  }

  /// Matches a quoted string anywhere after the name of a secret, or a comment that mentions one.
  private func names(_ tokens: [InputToken], _ place: Int) -> Bool {
    let token = tokens[place]
    if token.kind == .comment {
      return token.text.split { !$0.isLetter }.contains { names.isCertain(String($0)) }
    }
    guard token.kind == .name, names.isCertain(token.text) else { return false }
    let rest = tokens[(place + 1)...]
    if rest.first?.isSymbol("=") == true, isHarmless(rest.dropFirst()) { return false }
    // `providers.password.credential` is a path, whose call is examined separately.
    let isPath = place > 0 && tokens[place - 1].isSymbol(".") && rest.first?.isSymbol(".") == true
    if isPath || isHarmless(tokens[place...]) { return false }
    return rest.contains { $0.kind == .text && !$0.text.isEmpty }
  }

  /// Matches a string such as `{"password":"…"}` or `password=…&email=…`.
  private func isText(_ token: InputToken) -> Bool {
    guard token.kind == .text else { return false }
    let fields = #/([A-Za-z_][A-Za-z0-9_]*)["']?\s*[:=]/#
    return token.text.replacing("\\", with: "").matches(of: fields)
      .contains { names.isCertain(String($0.1)) }
  }

  /// Returns the index of the arguments of a call of one of these functions, if one is a string or number without a
  /// name.
  private func calls(_ functions: [String], _ tokens: [InputToken], _ place: Int) -> Int? {
    let token = tokens[place]
    guard token.kind == .name, functions.contains(where: { Self.isNear(token.text, $0) }),
      place > 0, tokens[place - 1].isSymbol(".") || tokens[place - 1].isSymbol(":")
    else { return nil }
    let next = place + (tokens.at(place + 1)?.isSymbol("(") == true ? 2 : 1)
    guard let first = tokens.at(next), next > place + 1 || first.isValue || first.isSymbol("{")
    else { return nil }
    // The fields of a table have names, which are examined separately.
    let isGiven = tokens.indices[next...].contains { index in
      tokens[index].isValue
        && (index == place + 1 || ["(", "{", ","].contains { tokens[index - 1].isSymbol($0) })
    }
    return isGiven ? next : nil
  }

  /// Tells whether a name equals that of a function, or differs by one letter, in a long name two.
  ///
  /// `unlink` is not `link`.
  private static func isNear(_ word: String, _ function: String) -> Bool {
    editDistance(word.lowercased(), function.lowercased()) <= (function.count > 6 ? 2 : 1)
  }

  /// Tells whether a string is passed by position to a function that expects it in a table.
  private func isPositional(_ tokens: [InputToken], _ place: Int) -> Bool {
    guard let first = calls(Self.tabled, tokens, place), let token = tokens.at(first) else {
      return false
    }
    guard Self.isNear(tokens[place].text, "configure") else { return token.kind == .text }
    // The first argument is the provider's name.
    return tokens.at(first + 1)?.isSymbol(",") == true && tokens.at(first + 2)?.kind == .text
  }
}

extension InputToken {
  fileprivate var isValue: Bool { kind == .text || kind == .number }
}

extension Array {
  fileprivate func at(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
