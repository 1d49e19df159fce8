import AuthCore
public import LuaPlugins

/// An admin's page about a plug-in, in Markdown, made of its declaration alone.
public struct PluginDocs: Sendable {
  private let declaration: PluginDeclaration
  private let hasBrowserFlow: Bool

  /// Makes the page of a provider.
  public init(_ provider: any LuaProvider) {
    declaration = provider.declaration
    hasBrowserFlow = provider.hasBrowserFlow
  }

  /// The Markdown text of the page.
  public var text: String {
    [title, notes, settings, credentials, hosts, example].compactMap(\.self)
      .joined(separator: "\n\n")
  }

  private var title: String {
    let links = declaration.documentation.map { "<\($0)>" }.joined(separator: ", ")
    let source = links.isEmpty ? "" : "\n\nThe vendor's documentation: \(links)"
    return
      "# \(declaration.name)\n\n`\(declaration.id)`, kind `\(declaration.kind.rawValue)`\(facts).\(source)"
  }

  /// The version, the author and the licence, if the file names them.
  private var facts: String {
    let words = ["release": "version ", "author": "by ", "license": "licence "]
    return declaration.metadata.texts.compactMap { name, text in
      words[name].map { ", \($0)\(text)" }
    }.joined()
  }

  private var notes: String? { declaration.notes }

  private var settings: String {
    let rows = declaration.settings.map { field in
      [
        "`\(field.name)`",
        declaration.hostSettings.contains(field.name) ? "host" : field.type.rawValue,
        field.isRequired ? "yes" : "",
        field.summary,
      ]
    }
    return "## Settings\n\n" + Self.table(["setting", "type", "required", "what it is"], rows)
  }

  private var credentials: String {
    let rows = declaration.builders.flatMap { builder in
      builder.fields.map { field in
        [
          "`\(builder.name)`", "`\(field.name)`", field.isSecret ? "secret" : field.type.rawValue,
          field.isRequired ? "yes" : "", field.summary,
        ]
      }
    }
    return "## Credentials\n\n"
      + Self.table(["builder", "field", "type", "required", "what it is"], rows)
  }

  private var hosts: String {
    guard !declaration.hosts.isEmpty else { return "## Hosts\n\nIt sends no requests." }
    return "## Hosts\n\nIt asks \(declaration.hosts.map { "`\($0)`" }.joined(separator: ", "))."
  }

  private var example: String {
    let required = declaration.settings.filter { $0.isRequired || $0.name == "clientSecret" }
    let settings = required.map { "\($0.name) = \(Self.sample($0))" }.joined(separator: ", ")
    let browser = [
      "auth.authorize(\"\(declaration.id)\", { redirectURI = \"https://app.example/back\" })",
      "auth.signIn(auth.callback(\"\(declaration.id)\", \"https://app.example/back?…\"))",
    ]
    let signIns = declaration.builders.flatMap { builder -> [String] in
      if hasBrowserFlow, builder.name == "authorizationCode" { return browser }
      let fields = builder.fields.filter(\.isRequired).map { "\($0.name) = \"…\"" }
        .joined(separator: ", ")
      return ["auth.signIn(providers[\"\(declaration.id)\"].credential { \(fields) })"]
    }
    let lines = ["providers.configure(\"\(declaration.id)\", { \(settings) })"] + signIns
    return "## In the console\n\n```lua\n\(lines.joined(separator: "\n"))\n```"
  }

  private static func sample(_ field: ConfigurationField) -> String {
    switch field.type {
    case .text, .secret, .url: "\"…\""
    case .list: "{ \"…\" }"
    case .flag: "true"
    case .number: "0"
    case .names, .urls: "{ … }"
    }
  }

  private static func table(_ heads: [String], _ rows: [[String]]) -> String {
    let lines = [heads, heads.map { _ in "---" }] + rows
    return lines.map { cells in
      "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
    }.joined(separator: "\n")
  }
}
