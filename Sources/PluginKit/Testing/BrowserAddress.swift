import AuthCore
import Crypto
import Foundation
import LuaPlugins

/// The address that a browser opens at the vendor, taken apart.
struct BrowserAddress {
  private let url: String
  private let query: [String: String]

  init(_ url: String) {
    self.url = url
    let head = url.prefix { $0 != "#" }
    query = Dictionary(
      URLText.fields(of: String(head.drop { $0 != "?" }.dropFirst())).map { ($0.name, $0.value) },
      uniquingKeysWith: { first, _ in first })
  }

  func findings(
    for grant: AuthorizationGrant, of runner: ScenarioRunner
  ) -> [BrowserRehearsal.Finding] {
    let declaration = runner.declaration
    let fields = declaration.builders.first { $0.name == AuthorizationGrant.builderName }?.fields
    let isCustom = declaration.kind == .custom
    func has(_ field: String) -> Bool { fields?.contains { $0.name == field } == true }
    var findings = [
      finding(
        "the address carries the state", holds(grant.state),
        "The address has no state, so every callback is refused. Add state = \"{state}\" to "
          + "authorize.parameters."),
      finding(
        "the address carries the redirect URI", holds(grant.redirectURI),
        "The address has no redirect URI, so the vendor cannot send the browser back. Add "
          + "redirect_uri = \"{redirectURI}\" to authorize.parameters."),
    ]
    let challenge = Base64.url.text(
      SHA256.hash(data: Array(grant.codeVerifier.reveal().utf8)))
    // A vendor may want PKCE by a setting, so the fixture's own code tells more than the declaration.
    let isCode = runner.scenario.builder == AuthorizationGrant.builderName
    let isPromised =
      isCode ? runner.scenario.credential["codeVerifier"] != nil : !declaration.choosesPKCE
    if isCustom ? has("codeVerifier") : isPromised && !declaration.lacksPKCE {
      let isWhole = holds(challenge) && query["code_challenge_method"] != "plain"
      findings.append(
        finding(
          "the address carries the PKCE challenge", isWhole,
          "The address has no challenge for the code verifier. Add code_challenge = "
            + "\"{codeChallenge}\" and code_challenge_method = \"S256\", or remove codeVerifier."))
    } else if isCustom, holds(challenge) {
      findings.append(
        finding(
          "the address carries the PKCE challenge", false,
          "The address has a challenge, and credentials.authorizationCode has no codeVerifier to "
            + "answer it. Add codeVerifier = field.secret { \"…\", optional = true }."))
    }
    if demandsNonce(runner, has("nonce")) {
      let digest = SHA256.hash(data: Array(grant.nonce.utf8))
      findings.append(
        finding(
          "the address carries the nonce",
          holds(grant.nonce) || holds(SealedText.hex.written(Array(digest)))
            || holds(Base64.url.text(digest)),
          "The address has no nonce, which the credential and the ID token have. Add nonce = "
            + "\"{nonce}\" to authorize.parameters."))
    }
    if let clientID = runner.values["clientID"]?.stringValue,
      declaration.settings.contains(where: { $0.name == "clientID" && $0.isRequired })
    {
      findings.append(
        finding(
          "the address names the app", holds(clientID),
          "The address has no client ID. Add client_id = \"{clientID}\" to authorize.parameters."))
    }
    findings += scopes(runner)
    return findings
  }

  /// An OpenID provider without a nonce, such as Telegram, has none in its fixture's tokens either.
  private func demandsNonce(_ runner: ScenarioRunner, _ hasField: Bool) -> Bool {
    let isCode = runner.scenario.builder == AuthorizationGrant.builderName
    guard isCode, hasField else { return false }
    return runner.scenario.idToken?["nonce"] != nil
  }

  private func scopes(_ runner: ScenarioRunner) -> [BrowserRehearsal.Finding] {
    let declaration = runner.declaration
    guard declaration.kind != .custom else { return [] }
    var wanted = declaration.scopes
    if case .array(let own)? = runner.values["scopes"] { wanted = own.compactMap(\.stringValue) }
    guard !wanted.isEmpty else { return [] }
    let given = query.values.map { value in
      Set(value.split { " ,;+".contains($0) }.map(String.init))
    }
    let isWhole = given.contains { $0.isSuperset(of: wanted) }
    return [
      finding(
        "the address asks for the scopes", isWhole,
        "The address does not ask for \(wanted.joined(separator: " ")). Leave scope out of "
          + "parameters: the provider writes it itself.")
    ]
  }

  private func finding(
    _ name: String, _ isRight: Bool, _ failure: String
  ) -> BrowserRehearsal.Finding {
    BrowserRehearsal.Finding(name: name, failure: isRight ? nil : failure)
  }

  /// Tells whether the address contains a value: as a parameter, in a parameter's own query, or in base64.
  private func holds(_ text: String) -> Bool {
    for value in Array(query.values) + [url] {
      var spelling = value
      for _ in 0..<3 {
        if spelling.contains(text) { return true }
        spelling = spelling.removingPercentEncoding ?? spelling
      }
      if let bytes = Base64.bytes(ofEither: value) {
        let decoded = String(decoding: bytes, as: UTF8.self)
        if decoded.contains(text) || decoded.removingPercentEncoding?.contains(text) == true {
          return true
        }
      }
    }
    return false
  }
}
