import AuthCore
import IdentityToolkit

/// A project's public information, its session cookies, and answers to reCAPTCHA requests.
struct ProjectHandler: RequestHandler {
  let call: Call

  /// Returns the project's public information (`projects`, the older `getProjectConfig`).
  func information() async throws -> Answer {
    guard tenant == nil else { throw WireError("UNSUPPORTED_TENANT_OPERATION") }
    var answer = try await behavior.information(self)
    answer["projectId"] = .string(services.settings.projectNumber)
    return .json(.object(answer))
  }

  func publicInformation() async throws -> [String: JSONValue] {
    let settings = try await settings()
    var domains = ConfigDocument.authorizedDomains(settings, services.settings)
    // Web clients look for the domain of their page here before they begin a sign-in.
    if let own = ContinueURL(services.settings.publicURL)?.host, !domains.contains(own) {
      domains.append(own)
    }
    var answer: [String: JSONValue] = ["authorizedDomains": .array(domains.map(JSONValue.string))]
    if let wanted = try query.filled("clientId"), !Self.clientIDs(settings).contains(wanted) {
      throw WireError("INVALID_OAUTH_CLIENT_ID")
    }
    if isPrivileged {
      let closed = settings.signIn.closedProviders
      answer["allowPasswordUser"] = .bool(!closed.contains(.password))
      answer["enableAnonymousUser"] = .bool(!closed.contains(.anonymous))
      answer["idpConfig"] = .array(idpConfigurations(settings))
    }
    return answer
  }

  private static func clientIDs(_ settings: ProjectSettings) -> Set<String> {
    Set(
      settings.providers.values.flatMap { configuration -> [String] in
        ["clientID", "clientIDs", "appID", "audiences"].flatMap { name -> [String] in
          switch configuration.values[name] {
          case .string(let text): [text]
          case .array(let items): items.compactMap(\.stringValue)
          default: []
          }
        }
      })
  }

  private func idpConfigurations(_ settings: ProjectSettings) -> [JSONValue] {
    settings.providers.keys.sorted().filter { $0.contains(".") }.map { id in
      [
        "provider": .string(id),
        "enabled": .bool(!settings.signIn.closedProviders.contains(ProviderID(id))),
      ]
    }
  }

  /// Returns the password policy (`v2/passwordPolicy`).
  func passwordPolicy() async throws -> Answer {
    .json(PasswordPolicyDocument.published(try await settings().signIn.passwordPolicy))
  }

  /// Returns made-up reCAPTCHA parameters to older clients, because no reCAPTCHA is required.
  func recaptchaParameters() async throws -> Answer {
    .json([
      "kind": "identitytoolkit#GetRecaptchaParamResponse",
      "recaptchaStoken": "No-reCAPTCHA-is-asked-for-so-this-is-no-token",
      "recaptchaSiteKey": "No-reCAPTCHA-is-asked-for-so-this-is-no-key",
    ])
  }

  /// Answers that no provider requires a reCAPTCHA.
  func recaptchaConfiguration() -> Answer {
    .json([
      "recaptchaEnforcementState": .array(
        ["EMAIL_PASSWORD_PROVIDER", "PHONE_PROVIDER"].map { provider in
          ["provider": .string(provider), "enforcementState": "OFF"]
        })
    ])
  }
}
