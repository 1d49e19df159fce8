package import AuthCore
import Foundation

/// An endpoint, and the details of its requests.
package struct RequestTemplate: Sendable {
  package let url: URLTemplate
  package var method = HTTPRequest.Method.get
  package var headers: [String: URLTemplate] = [:]
  package var query: [String: URLTemplate] = [:]
  package var form: [String: URLTemplate] = [:]
  package var json: [String: URLTemplate] = [:]
  /// The scheme before the token in the header `Authorization`; nil for no such header.
  package var scheme: String? = "Bearer"
  /// The client authentication, with which `scheme` is nil.
  package var authentication = ClientAuthenticationMethod.none
  /// The vendor's names of client_id and client_secret in a body.
  package var clientNames: [String: String] = [:]

  package init(url: URLTemplate) { self.url = url }

  /// Makes a request with the token in the query alone.
  init(_ url: URLTemplate, query: [String: URLTemplate]) {
    self.url = url
    self.query = query
    scheme = nil
  }
}

/// The place of a client's secret in a request.
package enum ClientAuthenticationMethod: String, Sendable, CaseIterable {
  case post, basic, none

  /// The method for a server with these methods.
  ///
  /// One that names no method takes Basic (OpenID Connect Discovery 3).
  package init(offered: [String]) {
    let hasBasic = offered.isEmpty || offered.contains("client_secret_basic")
    self = hasBasic || !offered.contains("client_secret_post") ? .basic : .post
  }

  /// The authentication with a secret; none without one.
  package func with(_ secret: Secret<String>?) -> ClientAuthentication {
    switch (self, secret) {
    case (.basic, .some(let secret)): .basic(secret)
    case (.post, .some(let secret)): .body(secret)
    default: .none
    }
  }
}

extension ProviderSession {
  /// Makes a request with a token, which `{accessToken}` and `{token}` name in templates.
  func request(
    _ template: RequestTemplate, at endpoint: String, with token: Secret<String>,
    filling more: [String: String] = [:]
  ) throws -> HTTPRequest {
    let own = ["accessToken": token.reveal(), "token": token.reveal()]
    let values = own.merging(more) { $1 }
    let address = try self.endpoint(endpoint, usually: template.url)
    let url = URLText.adding(try filled(template.query, values), to: address)
    var form = try filled(template.form, values)
    var json = try filled(template.json, values)
    var headers = try filled(template.headers, values)
    if template.authentication != .none {
      let id = try settings.required("clientID")
      let secret = try settings.requiredSecret("clientSecret").reveal()
      let pair = [("client_id", id), ("client_secret", secret)].map { name, value in
        (name: template.clientNames[name] ?? name, value: value)
      }
      switch template.authentication {
      case .basic:
        let encoded = Data("\(id):\(secret)".utf8).base64EncodedString()
        headers.append(("Authorization", "Basic \(encoded)"))
      case .post where json.isEmpty: form += pair
      case .post, .none: json += pair
      }
    } else if let scheme = template.scheme {
      headers.append(("Authorization", "\(scheme) \(token.reveal())"))
    }
    var request = HTTPRequest(template.method, url)
    if !form.isEmpty {
      request = HTTPRequest.form(url, form)
    } else if !json.isEmpty {
      let members = json.map { ($0.name, JSONValue.string($0.value)) }
      let body = JSONValue.object(Dictionary(members, uniquingKeysWith: { $1 }))
      request.body = Array(body.text.utf8)
      request.headers = [("Content-Type", "application/json")]
    }
    request.method = template.method
    request.headers += headers
    if !request.headers.contains(where: { $0.name.lowercased() == "accept" }) {
      request.headers.append(("Accept", "application/json"))
    }
    request.privateHosts = privateHosts
    return request
  }

  /// Requests an endpoint with an access token; returns the object in the answer.
  package func ask(
    _ template: RequestTemplate, at endpoint: String, with token: Secret<String>,
    filling more: [String: String] = [:], step: FlowStep
  ) async throws -> JSONValue {
    let request = try request(template, at: endpoint, with: token, filling: more)
    return try await VendorExchange(transport: network, step: step).resource(request)
  }
}
