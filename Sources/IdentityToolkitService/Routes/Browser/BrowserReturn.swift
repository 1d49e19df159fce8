import AuthCore
import Crypto

/// The destination of a browser that returns from a vendor, stored under the state of the sign-in.
struct BrowserReturn: Sendable, Hashable {
  /// The party that completes the sign-in.
  enum Ending: Sendable, Hashable {
    /// The app passes on the vendor's answer, with the session that the sign-in began for.
    case app
    /// This server completes it, for the browser that began; holds the digest of the app's session.
    case server(cookie: BrowserCookie, session: String)
    /// This server completes it, and a page of its own passes the event to the app's page.
    case page(cookie: BrowserCookie, web: WebSignIn)
  }

  /// An address at an authorised domain.
  let address: String
  let provider: ProviderID
  let scope: Scope
  let ending: Ending
  /// Parameters that the app gave, returned unchanged.
  var echoed: [String: String] = [:]

  var note: JSONValue {
    var members: [String: JSONValue] = [
      "address": .string(address), "provider": .string(provider.rawValue),
      "project": .string(scope.project), "tenant": .optional(scope.tenant),
      "echoed": .object(echoed.mapValues(JSONValue.string)),
    ]
    switch ending {
    case .app: break
    case .server(let cookie, let session):
      members["cookie"] = .string(cookie.rawValue)
      members["session"] = .string(session)
    case .page(let cookie, let web):
      members["cookie"] = .string(cookie.rawValue)
      members["web"] = web.value
    }
    return .object(members)
  }

  init(
    address: String, provider: ProviderID, scope: Scope, ending: Ending,
    echoed: [String: String] = [:]
  ) {
    self.address = address
    self.provider = provider
    self.scope = scope
    self.ending = ending
    self.echoed = echoed
  }

  init?(_ note: JSONValue) {
    guard let address = note["address"]?.stringValue, let provider = note["provider"]?.stringValue,
      let project = note["project"]?.stringValue
    else { return nil }
    self.address = address
    self.provider = ProviderID(provider)
    scope = Scope(project: project, tenant: note["tenant"]?.stringValue)
    if case .object(let echoed)? = note["echoed"] {
      self.echoed = echoed.compactMapValues(\.stringValue)
    }
    guard let name = note["cookie"]?.stringValue else {
      ending = .app
      return
    }
    guard let cookie = BrowserCookie(rawValue: name) else { return nil }
    if let web = WebSignIn(note["web"]) {
      ending = .page(cookie: cookie, web: web)
    } else if let session = note["session"]?.stringValue {
      ending = .server(cookie: cookie, session: session)
    } else {
      return nil
    }
  }

  /// Stores the destination for the browser's return.
  func keep(for authorization: Authorization, _ services: ServerServices) async throws {
    try await services.graph.storeRedirectNote(note, of: authorization, in: services.returnScope)
  }

  /// Returns the digest of an app's session, which apps may reveal before the session itself.
  static func digest(ofSession session: String) -> String {
    SHA256.hash(data: Array(session.utf8)).hexadecimal
  }

  /// Redirects the browser, with parameters in the fragment, which no server receives.
  func going(with parameters: [(name: String, value: String)]) -> Answer {
    let own = echoed.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    let place = address.split(separator: "#", maxSplits: 1).first ?? ""
    return .redirect(
      "\(place)#\(URLText.form(parameters + own))",
      headers: ["Cache-Control": "no-store", "Referrer-Policy": "no-referrer"])
  }
}

extension ServerServices {
  /// The one address to which vendors send browsers back.
  var handlerAddress: String { "\(settings.publicURL)/__/auth/handler" }

  /// The scope of all returns.
  ///
  /// A callback names only its state, so it is looked up in one scope for all projects.
  var returnScope: Scope { Scope(project: settings.project) }
}

extension ContinueURL {
  /// Tells whether a verified identity may be sent there: to an authorised domain, over TLS unless it is this machine.
  func takesCredentials(_ settings: SignInSettings, publicURL: String) -> Bool {
    isAuthorized(settings, publicURL: publicURL)
      && (text.lowercased().hasPrefix("https:") || host == "localhost")
  }
}
