public import AuthCore
public import BuiltInProviders

/// The declaration of a plug-in file, as data.
///
/// Functions stay in the file; the declaration knows only their places.
public struct PluginDeclaration: Sendable {
  /// The ID of the provider.
  public let id: ProviderID
  /// The name of the provider, for people.
  public let name: String
  /// The kind of the provider.
  public let kind: ProviderManifest.Kind
  /// The addresses of the vendor's documentation that the plug-in relies on.
  public let documentation: [String]
  /// Notes for people: traps, and unconfirmed assumptions.
  public let notes: String?
  /// The version of the file, its author, licence and icon, and the program that it needs.
  public let metadata: PluginMetadata
  /// The hosts that may be requested, as written: names, or templates of settings.
  public let hosts: [String]
  /// The builders of credentials.
  public let builders: [CredentialBuilder]
  /// The scopes that the provider requests.
  public let scopes: [String]
  /// The allowed algorithms of ID tokens; empty if there are no ID tokens.
  public let algorithms: [SigningAlgorithm]
  /// The places of functions: `verify`, `profile`, `identity.photoURL`, ….
  public let functions: Set<String>
  let ownSettings: [PluginSetting]
  let hostTemplates: [URLTemplate]
  let flow: PluginFlow
  let mapping: [MappedField: Mapping]
  /// The literal hosts with a port in its addresses.
  var places: Set<String> = []
  let tokens: [String: TokenTemplate]
  /// The tokens that are signed with a secret setting, by name.
  var sharedSecretTokens: [String: SharedSecretTemplate] = [:]
  /// True if the text "true" verifies an address too, outside ID tokens.
  let textBooleans: Bool
  /// True if the vendor has a different subject for a person in each app.
  let subjectsPerApp: Bool

  /// A field of an identity that a mapping fills.
  enum MappedField: String, CaseIterable, Sendable {
    case subject, formerSubjects, email, emailVerified, displayName, photoURL, screenName
    case phoneNumber
  }

  /// The source of a field's value.
  enum Mapping: Sendable {
    /// The first source with a value.
    case sources([MappedSource])
    /// The function at `identity.FIELD`.
    case function
  }

  /// The parts that differ between the kinds.
  enum PluginFlow: Sendable {
    case oauth2(OAuthTemplate)
    case oidc(OIDCTemplate)
    case custom(CustomTemplate)
  }
}

/// The browser's way to the vendor, and the requests with tokens.
struct OAuthTemplate: Sendable {
  var browser = BrowserRule()
  var userInfo: RequestTemplate?
  /// The revocation; nil for RFC 7009 at the address of the discovery document.
  var revoke: Revoke?
  /// The client authentication; nil takes the discovery document's.
  var authentication: ClientAuthenticationMethod?
  /// The check that an access token belongs to our app; nil if the vendor has none.
  var app: App?

  enum Revoke: Sendable {
    /// RFC 7009.
    case standard(URLTemplate)
    case request(RequestTemplate)
    /// The function at `revoke`.
    case function
  }

  enum App: Sendable {
    /// A request whose answer names the client ID; a subject in the answer has to equal the profile's.
    case request(RequestTemplate, clientID: PluginPath, subject: PluginPath?)
    /// The function at `app`.
    case function
  }
}

/// The requirements of an OpenID Connect provider's tokens, and its endpoints.
struct OIDCTemplate: Sendable {
  var token: TokenTemplate
  var flow = OAuthTemplate()
  var usesDiscovery = true
  var asks = UserInfoRule.Asking.ifThin
}

/// The requirements of ID tokens, with settings in them.
struct TokenTemplate: Sendable {
  var issuer: URLTemplate
  /// Other spellings of the same issuer.
  var otherIssuers: [URLTemplate] = []
  /// The claim that takes the place of the issuer's list setting if an admin sets that to `any`.
  var anyIssuer: String?
  var keyIssuer = KeyIssuerRule.any
  var keys: URLTemplate?
  /// The allowed values of `aud`; empty for the client's ID.
  var audiences: [URLTemplate] = []
  var algorithms: [SigningAlgorithm] = [.rs256]
  var nonce = NonceRule.Presence.optional
  /// False if the vendor's ID tokens do not repeat the nonce of an authorization request.
  var repeatsNonce = true
  var booleansMayBeText = false
  var maximumAge: Int64?
}

/// The further parts of a plug-in with its own `verify`.
struct CustomTemplate: Sendable {
  var authorize: BrowserTemplate?

  struct BrowserTemplate: Sendable {
    /// The address; nil if a function makes it.
    var url: URLTemplate?
    /// The place of that function.
    var place = "authorize"
    var parameters: [String: URLTemplate] = [:]
    /// The callback's parameter that fills each field of the credential; `*` for all of them as one text.
    var callback: [String: String] = ["code": "code"]
  }
}

extension PluginDeclaration {
  /// Every setting, including those of the kind.
  public var settings: [ConfigurationField] {
    let usual: [ConfigurationField] =
      switch flow {
      case .oauth2, .oidc:
        [.clientID(namesSubjects: subjectsPerApp), .clientSecret, .audiences, .scopes]
      case .custom: []
      }
    return usual + ownSettings.map(\.field) + [.servers, .privateHosts]
  }

  /// The paths of the subject; empty if a function makes it.
  public var subjectPaths: [String] { paths(.subject) }

  /// The paths of the subjects in other systems' records; empty if a function makes them.
  public var formerSubjectPaths: [String] { paths(.formerSubjects) }

  /// The paths of the vendor's statement that the address is verified; empty if there is none or a function makes
  /// it.
  public var emailVerifiedPaths: [String] { paths(.emailVerified) }

  /// The paths of the address; empty if there is none or a function makes it.
  public var emailPaths: [String] { paths(.email) }

  private func paths(_ field: MappedField) -> [String] {
    guard case .sources(let sources) = mapping[field] else { return [] }
    return sources.flatMap(\.paths).map(\.description)
  }

  /// Every address as it is written, by purpose.
  public var urls: [String: String] {
    var urls: [String: URLTemplate?] = [:]
    func add(_ flow: OAuthTemplate) {
      urls["authorize"] = flow.browser.authorize
      urls["token"] = flow.browser.token
      urls["refresh"] = flow.browser.refresh?.url
      switch flow.revoke {
      case .standard(let url): urls["revoke"] = url
      case .request(let request): urls["revoke"] = request.url
      case .function, nil: break
      }
      urls["userinfo"] = flow.userInfo?.url
      if case .request(let request, _, _) = flow.app { urls["app"] = request.url }
    }
    switch flow {
    case .oauth2(let flow): add(flow)
    case .oidc(let oidc):
      add(oidc.flow)
      urls["issuer"] = oidc.token.issuer
      urls["keys"] = oidc.token.keys
    case .custom(let custom): urls["authorize"] = custom.authorize?.url
    }
    for (name, token) in tokens {
      urls["tokens.\(name).issuer"] = token.issuer
      urls["tokens.\(name).keys"] = token.keys
    }
    return urls.compactMapValues { $0?.description }
  }

  /// True if the vendor's texts "true" and "false" count as booleans.
  public var takesTextBooleans: Bool {
    if case .oidc(let oidc) = flow, oidc.token.booleansMayBeText { return true }
    return textBooleans || tokens.values.contains { $0.booleansMayBeText }
  }

  /// True if the authorization code flow has no PKCE.
  public var lacksPKCE: Bool {
    switch flow {
    case _ where choosesPKCE: false
    case .oauth2(let flow): flow.browser.authorize != nil && !flow.browser.hasPKCE
    case .oidc(let oidc): !oidc.flow.browser.hasPKCE
    case .custom: false
    }
  }
}
