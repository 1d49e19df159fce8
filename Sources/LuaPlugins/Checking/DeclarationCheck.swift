import AuthCore
import Foundation

/// Finds omissions in a declaration, and fields whose type is too open.
enum DeclarationCheck {
  private static let longestFile = 250

  static func findings(_ text: PluginText) -> [PluginFinding] {
    accessTokens(text) + flows(text) + secrets(text) + company(text)
  }

  private static func accessTokens(_ text: PluginText) -> [PluginFinding] {
    guard text.declaration.kind == .custom else { return [] }
    return text.declaration.builders.filter { builder in
      let names = builder.fields.map { $0.name.lowercased() }
      return names.contains("accesstoken") && !names.contains { $0.contains("idtoken") }
        && !asksWhoseTokenItIs(text)
    }.map { builder in
      text.finding(
        "access-token-without-app", line: text.source.line(of: builder.name),
        field: "credentials.\(builder.name)",
        "An access token is taken, and nothing is compared with a client ID: one that was made for "
          + "another app would do.",
        remedy: "Ask the vendor whose token it is and compare that with a setting, or take the "
          + "authorization code only.")
    }
  }

  /// Tells whether `verify`, or a function that it calls, compares anything with a setting.
  private static func asksWhoseTokenItIs(_ text: PluginText) -> Bool {
    let parameters = text.functions["verify"]?.parameters ?? []
    let settings = parameters.count > 2 ? parameters[2] : "settings"
    var compares = false
    var walk = LuaWalk()
    walk.expression = { value, place in
      let operands: [LuaExpression] =
        switch value.kind {
        case .binary("==", let left, let right), .binary("~=", let left, let right): [left, right]
        case .call where value.callee == "hash.equals": value.arguments
        default: []
        }
      compares = compares || operands.contains { isSetting($0, settings, place.scope) }
    }
    walk.go(through: text.statements)
    return compares
  }

  private static func isSetting(
    _ value: LuaExpression, _ settings: String, _ scope: LuaScope
  ) -> Bool {
    switch value.kind {
    case .index(let base, _): base.nameValue == settings
    case .name(let name):
      scope.local(name)?.value.map { made in
        if case .index(let base, _) = made.kind { base.nameValue == settings } else { false }
      } ?? false
    case .call(_, let arguments): arguments.contains { isSetting($0, settings, scope) }
    default: false
    }
  }

  private static func flows(_ text: PluginText) -> [PluginFinding] {
    guard text.declaration.lacksPKCE, !explainsPKCE(text.declaration) else { return [] }
    return [
      text.finding(
        "no-pkce", .warning, field: "pkce", "The authorization code goes without PKCE.",
        remedy:
          "Leave pkce = false out unless the vendor refuses its parameters (RFC 9700, 2.1.1); "
          + "then say so in notes, with the word PKCE.")
    ]
  }

  /// Tells whether the notes have the word PKCE: the author knows that it is missing, and says why.
  private static func explainsPKCE(_ declaration: PluginDeclaration) -> Bool {
    declaration.notes?.firstMatch(of: /\bPKCE\b/) != nil
  }

  private static func secrets(_ text: PluginText) -> [PluginFinding] {
    let fields = text.declaration.builders.flatMap(\.fields).filter { !$0.isSecret }.map(\.name)
    let settings = text.declaration.settings.filter { $0.type == .text }.map(\.name)
    return Set(fields.filter(soundsSecret)).sorted().map { name in
      text.finding(
        "secret-as-text", .warning, field: name,
        "The field \(name) sounds like a secret and is a text.",
        remedy: "Write field.secret, so that it is shown and kept nowhere.")
    }
      + settings.filter(soundsSecret).sorted().map { name in
        text.finding(
          "secret-as-text", .warning, field: name,
          "The setting \(name) sounds like a secret and is a text.",
          remedy: "Write setting.secret, so that it is kept sealed.")
      }
  }

  private static func soundsSecret(_ name: String) -> Bool {
    let plain = name.lowercased().filter(\.isLetter)
    let openCodes = [
      "countrycode", "languagecode", "postalcode", "publickey", "sitekey", "clientkey",
    ]
    let endings = [
      "token", "secret", "password", "signature", "hash", "code", "verifier", "assertion",
      "ticket", "nonce", "key",
    ]
    return !openCodes.contains(plain) && endings.contains(where: plain.hasSuffix)
  }

  /// Finds a missing link to documentation, a missing fixture, and a file that is too long.
  private static func company(_ text: PluginText) -> [PluginFinding] {
    var findings: [PluginFinding] = []
    if text.declaration.documentation.isEmpty {
      findings.append(
        text.finding(
          "missing-documentation", .warning, field: "documentation",
          "Nothing says where the vendor documents this.",
          remedy: "Add documentation = \"https://…\"."))
    }
    if text.source.path != nil, !text.source.hasFixture {
      findings.append(
        text.finding(
          "missing-fixture", .warning, "There is no \(text.source.fixtureName).",
          remedy: "Record one with authgraph plugin record, or write it by hand."))
    }
    let lines = text.source.text.split(separator: "\n", omittingEmptySubsequences: false).count
    if lines > longestFile {
      findings.append(
        text.finding(
          "long-file", .warning, "The file has \(lines) lines.",
          remedy: "Declare more and compute less; most vendors fit into 50 lines."))
    }
    return findings
  }
}
