import AuthCore

extension ScriptedEndpoints {
  /// Answers the authorization endpoint as the person in the request, or as the first one if it names none.
  func authorization(_ request: VendorRequest) throws(OAuthRefusal) -> AuthorizationAnswer {
    guard request.path == "/authorize" else {
      throw OAuthRefusal("not_found", "This is not the authorization endpoint.", status: 404)
    }
    return try records.authorize(request, rules(request), choice: try choice(at: request))
  }

  /// Redirects a browser if the person is known, and shows the sign-in page otherwise.
  func signInPage(_ request: VendorRequest) -> VendorResponse {
    do {
      let client = try records.registered(request.query).client
      guard isWellFormed(request), try choice(at: request) == nil else {
        return try authorization(request).response
      }
      return page(
        title: "Sign in to \(client.name)", SignInPage(client, request.query, people).html)
    } catch {
      return page(
        title: "Refused",
        "<p>\(HTMLText.escaped(error.reason)) (<code>\(HTMLText.escaped(error.error))</code>)</p>",
        status: error.status)
    }
  }

  private var people: [FakePerson] { records.with(\.people) }

  /// RFC 9700, 2.1.1: PKCE alone protects the codes of an app without a secret.
  private func rules(_ request: VendorRequest) -> AuthorizationRules {
    let isPublic = records.client(request.query["client_id"] ?? "")?.secret == nil
    return AuthorizationRules(
      requiresPKCE: script.requiresPKCE || isPublic, sendsIssuer: true, allowsFormPost: true)
  }

  private func isWellFormed(_ request: VendorRequest) -> Bool {
    do {
      try records.checkQuery(request.query, rules(request))
      return true
    } catch {
      return false
    }
  }

  /// The choice that is known without asking; nil if the person has to be asked.
  private func choice(at request: VendorRequest) throws(OAuthRefusal) -> BrowserChoice? {
    let query = request.query
    if query["cancel"] != nil || request.cookie("consent") == "no" { return .cancelled }
    if let name = query["person"] {
      guard let chosen = find(name) else {
        throw OAuthRefusal("unknown_person", "The provider knows no person of this name.")
      }
      return .person(chosen)
    }
    let prompts = query["prompt"]?.split(separator: " ") ?? []
    // OpenID Connect Core, 3.1.2.1
    let mustAsk = prompts.contains("login") || prompts.contains("select_account")
    if let person { return .person(records.with { Self.current(person, in: $0) }) }
    let named = request.cookie("person") ?? query["login_hint"]
    if !mustAsk, let name = named, let known = find(name) { return .person(known) }
    if !mustAsk, let signedIn = records.with(\.signedIn) { return .person(signedIn) }
    return prompts.contains("none") ? .signedOut : nil
  }

  private func find(_ name: String) -> FakePerson? {
    people.first { $0.subject == name } ?? people.first { $0.email == name }
  }

  private static func current(
    _ person: FakePerson, in contents: VendorRecords.Contents
  ) -> FakePerson {
    contents.people.first { $0.subject == person.subject } ?? person
  }

  private func page(title: String, _ content: String, status: Int = 200) -> VendorResponse {
    .text(
      """
      <!doctype html>
      <html lang="en">
      <head><meta charset="utf-8"><title>\(HTMLText.escaped(title))</title></head>
      <body>
      <h1>\(HTMLText.escaped(title))</h1>
      \(content)
      <p><small>A provider for development: it proves no identity.</small></p>
      </body>
      </html>

      """, type: "text/html; charset=utf-8", status: status,
      headers: [
        RequestFields.Field("Cache-Control", "no-store"),
        RequestFields.Field("Content-Security-Policy", "default-src 'none'"),
        RequestFields.Field("Referrer-Policy", "no-referrer"),
      ])
  }
}

/// The page on which a person chooses an account, made of links, so that any browser can show it.
private struct SignInPage {
  private let client: FakeClient
  private let query: RequestFields
  private let people: [FakePerson]

  init(_ client: FakeClient, _ query: RequestFields, _ people: [FakePerson]) {
    self.client = client
    self.query = query
    self.people = people
  }

  var html: String {
    let scopes = query["scope"].map { ", which asks for <code>\(HTMLText.escaped($0))</code>" }
    let names = people.map { "<li>\(link(for: $0))</li>" }.joined(separator: "\n")
    return """
      <p>Who are you to <strong>\(HTMLText.escaped(client.name))</strong>\(scopes ?? "")?</p>
      <ul>
      \(names)
      </ul>
      <p><a href="\(address(adding: "cancel", "yes"))">Cancel</a></p>
      """
  }

  private func link(for person: FakePerson) -> String {
    let address = address(adding: "person", person.subject)
    let email = person.email.map { email in
      let word = person.emailVerified == true ? "verified" : "not verified"
      return ", \(HTMLText.escaped(email)) (\(word))"
    }
    let name = HTMLText.escaped(person.name ?? person.subject)
    return "<a href=\"\(address)\">\(name)</a>\(email ?? "")"
  }

  private func address(adding name: String, _ value: String) -> String {
    let fields = query.fields.map { ($0.name, $0.value) } + [(name, value)]
    return HTMLText.escaped(URLText.adding(fields, to: "/authorize"))
  }
}
