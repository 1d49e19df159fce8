import AuthCore
import Foundation

/// The page that a link opens; only an admin decides which hosts are allowed.
struct LinkPage {
  private let base: String
  private let continueURL: String?
  private let language: String?

  /// Chooses the page for a request.
  ///
  /// Throws `operation-not-allowed` if no page is set, and `unauthorized-continue-uri` if the request names a host
  /// that is not allowed.
  init(_ settings: ProviderSettings, continueURL: String?) throws(AuthError) {
    let linkBase = settings.text("linkBase").flatMap { $0.isEmpty ? nil : $0 }
    let allowed = settings.list("allowedHosts").map { $0.lowercased() }
    language = settings.text("language").flatMap { $0.isEmpty ? nil : $0 }
    self.continueURL = continueURL
    if let linkBase {
      guard let host = Self.host(of: linkBase), Self.canCarryCode(linkBase) else {
        throw Self.unusableBase
      }
      base = linkBase
      if let continueURL { try Self.check(continueURL, allowed: allowed + [host]) }
    } else if let continueURL, !allowed.isEmpty {
      try Self.check(continueURL, allowed: allowed)
      guard Self.canCarryCode(continueURL) else {
        throw AuthError(
          .unauthorizedContinueURI, "A link cannot lead to this continueURL.", field: "continueURL",
          remedy: "Give it no fragment, and no parameter named mode, oobCode or link.",
          step: .credential)
      }
      base = continueURL
    } else {
      throw Self.missingBase
    }
  }

  /// The link that carries a code.
  func link(_ code: OneTimeLinkCode) -> String {
    var fields = [(name: "mode", value: "signIn"), (name: "oobCode", value: code.text)]
    if let continueURL { fields.append((name: "continueUrl", value: continueURL)) }
    if let language { fields.append((name: "lang", value: language)) }
    return URLText.adding(fields, to: base)
  }

  private static func check(_ url: String, allowed: [String]) throws(AuthError) {
    guard let host = host(of: url), allowed.contains(host) else {
      throw AuthError(
        .unauthorizedContinueURI, "The continueURL leads to a host that is not allowed.",
        field: "continueURL",
        remedy: "Allow it with providers.configure(\"emailLink\", { allowedHosts = { … } }).",
        step: .credential)
    }
  }

  /// The host of an address that every browser and mail program reads alike; nil for any other address.
  ///
  /// Parsers disagree about the host if a user, a backslash or a character that has to be escaped precedes it.
  /// Without TLS only this machine is allowed, for development.
  private static func host(of url: String) -> String? {
    let isPlain = url.utf8.allSatisfy {
      (0x21...0x7E).contains($0) && !"\\\"<>^`{|}".utf8.contains($0)
    }
    guard isPlain, let parts = URLComponents(string: url), parts.user == nil,
      parts.password == nil, let name = parts.host?.lowercased()
    else { return nil }
    let isLocal = ["localhost", "127.0.0.1", "[::1]"].contains(name)
    guard parts.scheme == "https" || parts.scheme == "http" && isLocal else { return nil }
    return URLText.host(of: url)
  }

  /// Tells whether the code's parameters can be added: there is no fragment, and no parameter has their names.
  private static func canCarryCode(_ url: String) -> Bool {
    guard let parts = URLComponents(string: url), parts.fragment == nil else { return false }
    let names = (parts.queryItems ?? []).map(\.name)
    return !names.contains { ["mode", "oobCode", "link", "deep_link_id"].contains($0) }
  }

  private static let remedy =
    "Set it with providers.configure(\"emailLink\", { linkBase = \"https://…\" })."
  private static let missingBase = AuthError(
    .operationNotAllowed, "The provider emailLink has no linkBase, the page that its links open.",
    field: "linkBase", remedy: remedy, step: .credential)
  private static let unusableBase = AuthError(
    .operationNotAllowed, "The linkBase of emailLink is no https address of a page.",
    field: "linkBase", remedy: remedy, step: .credential)
}
