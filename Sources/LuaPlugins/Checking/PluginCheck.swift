import AuthCore
import Foundation

/// Checks a plug-in file without its vendor and without running its functions.
///
/// Only the declaration runs, in the sandbox of a sign-in and without a network. The functions are parsed, not run;
/// `plugin test` runs them.
///
/// The codes of findings are never renamed: `does-not-load`, `unknown-global`, `global-write`, `unknown-setting`,
/// `unknown-credential-field`, `unknown-request-field`, `mutable-subject`, `verified-without-source`,
/// `verified-of-another`, `unread-response`, `undeclared-host`, `unused-host`, `plain-http`,
/// `access-token-without-app`, `no-pkce`, `no-state`, `secret-as-text`, `caught-failure`, `open-comparison`,
/// `other-id`, `template`, `missing-api`, `missing-documentation`, `missing-fixture`, `long-file` and `unreadable`.
public enum PluginCheck {
  /// Checks a file; returns the findings in order of lines, with errors before warnings on each line.
  ///
  /// If the file does not load, the only finding is `does-not-load`, with the line and the nearest name.
  public static func findings(in source: PluginSource) -> [PluginFinding] {
    let provider: any LuaProvider
    do throws(AuthError) {
      provider = try LuaPlugin.provider(source, host: PluginHost(transport: NoTransport()))
    } catch {
      return [unloadable(source, error)]
    }
    let statements = try? LuaParser.statements(of: source.text)
    let text = PluginText(
      source: source, declaration: provider.declaration, statements: statements ?? [])
    let unread = statements == nil ? [unreadable(text)] : []
    let checks = [
      NameCheck.findings, SubjectCheck.findings, VerifiedCheck.findings, HostCheck.findings,
      DeclarationCheck.findings, BrowserCheck.findings, ResponseCheck.findings,
      CatchCheck.findings, ComparisonCheck.findings, ContractCheck.findings,
      TemplateCheck.findings,
    ]
    return (unread + checks.flatMap { $0(text) }).sorted {
      ($0.line ?? .max, $0.severity, $0.code) < ($1.line ?? .max, $1.severity, $1.code)
    } + ContractCheck.modules(of: text)
  }

  /// Returns the finding for a file that Lua compiles, but that nests or chains too deeply for the parser.
  private static func unreadable(_ text: PluginText) -> PluginFinding {
    text.finding(
      "unreadable", .warning, "The functions cannot be read. Only the declaration was checked.",
      remedy: "Split long chains of operators or calls.")
  }

  /// Turns an error into a finding, and moves the place at the beginning of its message to the finding's line.
  private static func unloadable(_ source: PluginSource, _ error: AuthError) -> PluginFinding {
    var message = error.message
    var line: Int?
    if message.hasPrefix(source.name) {
      message = String(message.dropFirst(source.name.count))
      if let match = message.prefixMatch(of: /:(\d+)/) {
        line = Int(match.1)
        message = String(message[match.range.upperBound...])
      }
      message = String(message.drop { ": ".contains($0) })
    }
    // The usual remedy is to try this very check.
    let isCheck = error.remedy?.contains("authgraph plugin check") ?? true
    return PluginFinding(
      "does-not-load", .error, file: source.name, line: line, field: error.field, message,
      remedy: isCheck ? "Correct the file." : error.remedy ?? "Correct the file.")
  }
}

/// Refuses every request, because a check uses no network.
private struct NoTransport: HTTPTransport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    throw AuthError(
      .networkRequestFailed, "A check has no network.",
      remedy: "Send the request inside of a function.")
  }
}

/// A parsed plug-in file.
struct PluginText {
  let source: PluginSource
  let declaration: PluginDeclaration
  let statements: [LuaStatement]

  /// The table passed to `provider`.
  var declared: LuaExpression? {
    for statement in statements.reversed() {
      if case .returning(let values) = statement.kind, values.first?.callee == "provider" {
        return values.first?.arguments.first
      }
    }
    return nil
  }

  /// The functions in the declaration by place, such as `verify` and `identity.photoURL`.
  var functions: [String: LuaFunctionText] {
    var functions: [String: LuaFunctionText] = [:]
    for field in declared?.fields ?? [] {
      guard let name = field.name else { continue }
      functions[name] = function(field.value)
      if name == "authorize", functions[name] == nil {
        functions[name] = field.value.fields?.first { $0.name == nil }.flatMap {
          function($0.value)
        }
      }
      for inner in field.value.fields ?? [] {
        if let name = inner.name { functions["identity.\(name)"] = function(inner.value) }
      }
    }
    return functions
  }

  private func function(_ value: LuaExpression) -> LuaFunctionText? {
    if let text = value.function { return text }
    guard let name = value.nameValue else { return nil }
    for statement in statements {
      if case .localFunction(name, let text) = statement.kind { return text }
    }
    return nil
  }

  func finding(
    _ code: String, _ severity: PluginFinding.Severity = .error, line: Int? = nil,
    field: String? = nil, _ message: String, remedy: String
  ) -> PluginFinding {
    PluginFinding(
      code, severity, file: source.name, line: line ?? field.flatMap(source.line), field: field,
      message, remedy: remedy)
  }
}
