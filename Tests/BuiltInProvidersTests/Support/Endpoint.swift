import FakeVendors

/// A request that a way to sign in makes.
enum Endpoint: String, CaseIterable, Sendable, CustomStringConvertible {
  case googleKeys = "google.com /oauth2/v3/certs"
  case googleToken = "google.com /token"
  case googleTokenInfo = "google.com /tokeninfo"
  case googleUserInfo = "google.com /v1/userinfo"
  case facebookKeys = "facebook.com /.well-known/oauth/openid/jwks/"
  case facebookToken = "facebook.com /v24.0/oauth/access_token"
  case facebookDebugToken = "facebook.com /v24.0/debug_token"
  case facebookMe = "facebook.com /v24.0/me"
  case appleKeys = "apple.com /auth/keys"
  case appleToken = "apple.com /auth/token"
  case oidcDiscovery = "oidc.staff /.well-known/openid-configuration"
  case oidcKeys = "oidc.staff /jwks"
  case oidcToken = "oidc.staff /token"
  case oidcUserInfo = "oidc.staff /userinfo"
  case acmeDiscovery = "acme.example /.well-known/openid-configuration"
  case acmeKeys = "acme.example /jwks"
  case acmeToken = "acme.example /token"
  case acmeUserInfo = "acme.example /userinfo"
  case scriptKeys = "script.example /jwks"
  case scriptToken = "script.example /token"
  case scriptUserInfo = "script.example /userinfo"
  case plainIntrospection = "plain.example /introspect"
  case plainToken = "plain.example /token"
  case plainUserInfo = "plain.example /userinfo"

  var description: String { rawValue }
  var path: String { String(rawValue.drop { $0 != " " }.dropFirst()) }

  var way: Way {
    switch self {
    case .googleKeys: .googleIDToken
    case .googleToken: .googleCode
    case .googleTokenInfo, .googleUserInfo: .googleAccessToken
    case .facebookKeys: .facebookLimitedLogin
    case .facebookToken: .facebookCode
    case .facebookDebugToken, .facebookMe: .facebookAccessToken
    case .appleKeys: .appleIDToken
    case .appleToken: .appleCode
    case .oidcDiscovery, .oidcKeys: .oidcIDToken
    case .oidcToken, .oidcUserInfo: .oidcCode
    case .acmeDiscovery, .acmeKeys: .acmeIDToken
    case .acmeToken, .acmeUserInfo: .acmeCode
    case .scriptKeys: .scriptIDToken
    case .scriptToken, .scriptUserInfo: .scriptCode
    case .plainIntrospection: .plainAccessToken
    case .plainToken, .plainUserInfo: .plainCode
    }
  }

  /// The person for the request: a profile is requested only if the token has no address.
  var person: FakePerson {
    switch self {
    case .oidcUserInfo, .acmeUserInfo, .scriptUserInfo: FakePerson(subject: FakePerson.ada.subject)
    default: .ada
    }
  }
}
