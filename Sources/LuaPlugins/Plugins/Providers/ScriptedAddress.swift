import AuthCore
import BuiltInProviders

extension LoadedPlugin {
  /// The address that a browser opens, by a custom plug-in's declaration or function.
  func address(
    _ request: AuthorizationGrant, _ browser: CustomTemplate.BrowserTemplate,
    _ session: PluginSession
  ) async throws -> String {
    let values = [
      "state": request.state, "redirectURI": request.redirectURI, "nonce": request.nonce,
      "codeChallenge": CodeChallenge.s256(request.codeVerifier.reveal()),
    ]
    guard let template = browser.url else {
      let answer = try await runner.call(
        browser.place, [.json(.object(values.mapValues { .string($0) })), .settings], session)
      guard case .json(.string(let url)) = answer else {
        throw runner.outOfOrder("authorize returned no address", nil, session)
      }
      return try session.transport.address(url, forBrowser: true)
    }
    let filler = session.filler
    func filled(_ template: URLTemplate, isURL: Bool) throws -> String {
      try template.filled { name in
        if let value = values[name] { return isURL ? URLText.escaped(value) : value }
        return try filler.value(name, inURL: isURL)
      }
    }
    let url = try session.transport.address(
      try filled(template, isURL: true), forBrowser: true)
    var query = try browser.parameters.sorted { $0.key < $1.key }
      .map { (name: $0.key, value: try filled($0.value, isURL: false)) }
    // The app that begins the sign-in cannot override the plug-in's own parameters.
    let taken = Set(browser.parameters.keys).union((URLText.query(of: url) ?? [:]).keys)
      .union(OAuthClient.neverAdded)
    for (name, value) in request.parameters.sorted(by: { $0.key < $1.key })
    where !taken.contains(name) { query.append((name, value)) }
    // A fragment stays at the end.
    let parts = url.split(separator: "#", maxSplits: 1).map(String.init)
    return URLText.adding(query, to: parts[0]) + (parts.count > 1 ? "#\(parts[1])" : "")
  }

  /// The fields of the credential in a callback, by a custom plug-in's declaration.
  func fields(
    of callback: [String: String], _ browser: CustomTemplate.BrowserTemplate
  ) throws(AuthError) -> [String: String] {
    var fields: [String: String] = [:]
    for (field, parameter) in browser.callback {
      guard parameter != "*" else {
        fields[field] = URLText.form(
          callback.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
        continue
      }
      fields[field] = callback[parameter]
    }
    let declared = declaration.builders.first { $0.name == AuthorizationGrant.builderName }
    let missing = declared?.fields.first { field in
      field.isRequired && browser.callback[field.name] != nil
        && fields[field.name, default: ""].isEmpty
    }
    if let missing {
      throw .refusedCallback(
        "it has no \(browser.callback[missing.name] ?? missing.name)", field: missing.name)
    }
    return fields
  }
}
