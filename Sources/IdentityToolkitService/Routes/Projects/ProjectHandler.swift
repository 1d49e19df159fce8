import AuthCore
import IdentityToolkit

/// A project's information for clients, its session cookies, and the reCAPTCHA that there is none of.
struct ProjectHandler: RequestHandler {
  let call: Call

  /// Returns what clients may know (`projects`, the older `getProjectConfig`).
  func information() async throws -> Answer {
    guard tenant == nil else { throw WireError("UNSUPPORTED_TENANT_OPERATION") }
    var answer = try await behavior.information(self)
    answer["projectId"] = .string(services.settings.projectNumber)
    return .json(.object(answer))
  }

  func publicInformation() async throws -> [String: JSONValue] {
    let settings = try await settings()
    var answer: [String: JSONValue] = [
      "authorizedDomains": .array(
        ConfigDocument.authorizedDomains(settings, services.settings).map(JSONValue.string))
    ]
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

  /// What passwords have to look like here (`v2/passwordPolicy`).
  func passwordPolicy() async throws -> Answer {
    .json(PasswordPolicyDocument.published(try await settings().signIn.passwordPolicy))
  }

  /// The parameters of a reCAPTCHA for older clients: none is asked for, so they are no real ones.
  func recaptchaParameters() async throws -> Answer {
    .json([
      "kind": "identitytoolkit#GetRecaptchaParamResponse",
      "recaptchaStoken": "No-reCAPTCHA-is-asked-for-so-this-is-no-token",
      "recaptchaSiteKey": "No-reCAPTCHA-is-asked-for-so-this-is-no-key",
    ])
  }

  /// No provider asks for a reCAPTCHA.
  func recaptchaConfiguration() -> Answer {
    .json([
      "recaptchaEnforcementState": .array(
        ["EMAIL_PASSWORD_PROVIDER", "PHONE_PROVIDER"].map { provider in
          ["provider": .string(provider), "enforcementState": "OFF"]
        })
    ])
  }
}
