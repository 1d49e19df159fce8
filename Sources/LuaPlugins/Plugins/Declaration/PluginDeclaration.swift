public import AuthCore
import BuiltInProviders

/// What a plug-in file says about itself, as data.
///
/// Functions stay in the file; of them the declaration knows only that they are there.
public struct PluginDeclaration: Sendable {
  public let id: ProviderID
  public let name: String
  public let kind: ProviderManifest.Kind
  /// Where the vendor documents what the plug-in relies on.
  public let documentation: [String]
  /// For people: traps, and what could not be confirmed.
  public let notes: String?
  /// The hosts that may be asked, as written: names, or templates of settings.
  public let hosts: [String]
  public let builders: [CredentialBuilder]
  public let scopes: [String]
  /// How ID tokens may be signed; empty where there are none.
  public let algorithms: [SigningAlgorithm]
  /// The places of functions: `verify`, `profile`, `identity.photoURL`, ….
  public let functions: Set<String>
  let ownSettings: [PluginSetting]
  let hostTemplates: [URLTemplate]
  let flow: PluginFlow
  let mapping: [MappedField: Mapping]
  /// The hosts with a port that its addresses write out.
  var places: Set<String> = []
  let tokens: [String: TokenTemplate]
  /// Whether the text "true" verifies an address too, outside ID tokens.
  let textBooleans: Bool
  /// Whether the vendor knows a person by another subject in each app.
  let subjectsPerApp: Bool

  /// A field of an identity that a mapping fills.
  enum MappedField: String, CaseIterable, Sendable {
    case subject, formerSubjects, email, emailVerified, displayName, photoURL, screenName
    case phoneNumber
  }

  /// Where the value of a field comes from.
  enum Mapping: Sendable {
    /// The first of these that is there.
    case sources([MappedSource])
    /// The function at `identity.FIELD`.
    case function
  }

  /// What differs between the kinds.
  enum PluginFlow: Sendable {
    case oauth2(OAuthTemplate)
    case oidc(OIDCTemplate)
    case custom(CustomTemplate)
  }
}

/// An endpoint, and how it is asked.
struct RequestTemplate: Sendable {
  let url: URLTemplate
  var method = HTTPRequest.Method.get
  var headers: [String: URLTemplate] = [:]
  var query: [String: URLTemplate] = [:]
  var form: [String: URLTemplate] = [:]
  var json: [String: URLTemplate] = [:]
  /// What stands before the access token in the header `Authorization`; nil for no such header.
  var scheme: String? = "Bearer"
  /// Whether client ID and secret stand there instead.
  var isBasic = false
}

/// How a browser is sent to the vendor, and what tokens are exchanged.
struct OAuthTemplate: Sendable {
  var authorize: URLTemplate?
  var token: URLTemplate?
  var revoke: URLTemplate?
  var userInfo: RequestTemplate?
  var parameters: [String: URLTemplate] = [:]
  var authentication = Authentication.post
  var hasPKCE = true
  /// How an access token is found to be ours; nil where the vendor has no way.
  var app: App?

  enum Authentication: String, Sendable, CaseIterable {
    case post, basic, none
  }

  enum App: Sendable {
    /// The subject, where the answer names it, has to be the profile's.
    case request(RequestTemplate, clientID: PluginPath, subject: PluginPath?)
    /// The function at `app`.
    case function
  }
}

/// What an OpenID Connect provider's tokens have to say, and where it is.
struct OIDCTemplate: Sendable {
  var token: TokenTemplate
  var flow = OAuthTemplate()
  var usesDiscovery = true
  /// Whether userinfo is asked always or never; nil for where the ID token has no address.
  var asksUserInfo: Bool?
  /// Nil for what the discovery document offers.
  var authentication: OAuthTemplate.Authentication?
}

/// A declaration of ID tokens with settings in it.
struct TokenTemplate: Sendable {
  var issuer: URLTemplate
  var keys: URLTemplate?
  /// What `aud` may be; empty for the client's ID.
  var audiences: [URLTemplate] = []
  var algorithms: [SigningAlgorithm] = [.rs256]
  var nonce = NonceRule.Presence.optional
  var booleansMayBeText = false
  var maximumAge: Int64?
}

/// What a plug-in with a `verify` of its own may have besides.
struct CustomTemplate: Sendable {
  var authorize: BrowserTemplate?

  struct BrowserTemplate: Sendable {
    /// Nil where a function makes the address.
    var url: URLTemplate?
    /// Where that function is.
    var place = "authorize"
    var parameters: [String: URLTemplate] = [:]
    /// The fields of the credential by the callback's parameter that each takes; `*` for all as one text.
    var callback: [String: String] = ["code": "code"]
  }
}

extension PluginDeclaration {
  /// Every setting, with those that come with the kind.
  public var settings: [ConfigurationField] {
    let usual: [ConfigurationField] =
      switch flow {
      case .oauth2, .oidc:
        [.clientID(namesSubjects: subjectsPerApp), .clientSecret, .audiences, .scopes]
      case .custom: []
      }
    return usual + ownSettings.map(\.field) + [.servers, .privateHosts]
  }

  /// The paths that the subject may come from; empty where a function makes it.
  public var subjectPaths: [String] { paths(.subject) }

  /// The paths that the subjects of other systems' records may come from; empty where a function makes them.
  public var formerSubjectPaths: [String] { paths(.formerSubjects) }

  /// The paths of the vendor's word on the address; empty where there is none or a function makes it.
  public var emailVerifiedPaths: [String] { paths(.emailVerified) }

  /// The paths of the address; empty where there is none or a function makes it.
  public var emailPaths: [String] { paths(.email) }

  private func paths(_ field: MappedField) -> [String] {
    guard case .sources(let sources) = mapping[field] else { return [] }
    return sources.flatMap(\.paths).map(\.description)
  }

  /// Every address as it is written, by what it is for.
  public var urls: [String: String] {
    var urls: [String: URLTemplate?] = [:]
    func add(_ flow: OAuthTemplate) {
      urls["authorize"] = flow.authorize
      urls["token"] = flow.token
      urls["revoke"] = flow.revoke
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

  /// Whether an access token is checked to be one of our own client's.
  public var checksApp: Bool {
    if case .oauth2(let flow) = flow { flow.app != nil } else { false }
  }

  /// Whether the vendor's texts "true" and "false" count as booleans.
  public var takesTextBooleans: Bool {
    if case .oidc(let oidc) = flow, oidc.token.booleansMayBeText { return true }
    return textBooleans || tokens.values.contains { $0.booleansMayBeText }
  }

  /// Whether the authorization code flow goes without PKCE.
  public var lacksPKCE: Bool {
    switch flow {
    case .oauth2(let flow): flow.authorize != nil && !flow.hasPKCE
    case .oidc(let oidc): !oidc.flow.hasPKCE
    case .custom: false
    }
  }
}
