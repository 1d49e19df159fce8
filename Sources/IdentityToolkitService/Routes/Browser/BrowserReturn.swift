import AuthCore
import Crypto

/// Where a browser goes on when it comes back from a vendor; kept by the state of the sign-in.
struct BrowserReturn: Sendable, Hashable {
  /// Who ends the sign-in.
  enum Ending: Sendable, Hashable {
    /// The app brings the vendor's answer, with the session that it was begun for.
    case app
    /// This server, for the browser that began; with the digest of the app's session.
    case server(cookie: BrowserCookie, session: String)
  }

  /// An address of an authorised domain.
  let address: String
  let provider: ProviderID
  let scope: Scope
  let ending: Ending
  /// Parameters that the app gave and gets back as they were.
  var echoed: [String: String] = [:]

  var note: JSONValue {
    var members: [String: JSONValue] = [
      "address": .string(address), "provider": .string(provider.rawValue),
      "project": .string(scope.project), "tenant": .optional(scope.tenant),
      "echoed": .object(echoed.mapValues(JSONValue.string)),
    ]
    if case .server(let cookie, let session) = ending {
      members["cookie"] = .string(cookie.rawValue)
      members["session"] = .string(session)
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
    if let name = note["cookie"]?.stringValue {
      guard let cookie = BrowserCookie(rawValue: name), let session = note["session"]?.stringValue
      else { return nil }
      ending = .server(cookie: cookie, session: session)
    } else {
      ending = .app
    }
  }

  /// Keeps where the browser goes on when it comes back.
  func keep(for authorization: Authorization, _ services: ServerServices) async throws {
    try await services.graph.storeRedirectNote(note, of: authorization, in: services.returnScope)
  }

  /// The digest by which an app's session is known: apps may show it before they show the session.
  static func digest(ofSession session: String) -> String {
    SHA256.hash(data: Array(session.utf8)).hexadecimal
  }

  /// Sends the browser there with parameters in the fragment, which no server sees.
  func going(with parameters: [(name: String, value: String)]) -> Answer {
    let own = echoed.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    let place = address.split(separator: "#", maxSplits: 1).first ?? ""
    return .redirect(
      "\(place)#\(URLText.form(parameters + own))",
      headers: ["Cache-Control": "no-store", "Referrer-Policy": "no-referrer"])
  }
}

extension ServerServices {
  /// The one address to which vendors send people back.
  var handlerAddress: String { "\(settings.publicURL)/__/auth/handler" }

  /// A callback names only its state, so what it leads to is looked up in one place for all projects.
  var returnScope: Scope { Scope(project: settings.project) }
}

extension ContinueURL {
  /// Whether what a vendor vouched for may be sent there: one of a scope's own places, over TLS unless it is
  /// on this machine.
  func takesCredentials(_ settings: SignInSettings, publicURL: String) -> Bool {
    isAuthorized(settings, publicURL: publicURL)
      && (text.lowercased().hasPrefix("https:") || host == "localhost")
  }
}
