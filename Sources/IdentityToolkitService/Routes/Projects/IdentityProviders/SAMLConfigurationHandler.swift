import AuthCore
import IdentityToolkit
import NIOConcurrencyHelpers

/// The configurations of SAML providers (`inboundSamlConfigs`).
///
/// They are checked, kept and given back, so that they can be moved here and away again. Every sign-in by
/// SAML is refused.
struct SAMLConfigurationHandler: RequestHandler {
  let call: Call

  private static let collection = "inboundSamlConfigs"
  private static let most = 50

  /// Returns the configurations of a scope by their IDs.
  static func configurations(_ settings: ProjectSettings) -> [String: JSONValue] {
    guard case .object(let members)? = KeptMembers(settings).members[collection] else {
      return [:]
    }
    return members
  }

  func list() async throws -> Answer {
    let known = Self.configurations(try await settings())
    return try page(of: known.keys, in: Self.collection) { id in known[id].map { shown($0, id) } }
  }

  func document() async throws -> Answer {
    let id = path["id"] ?? ""
    return .json(shown(try await known(id), id))
  }

  func create() async throws -> Answer {
    let named = try body.filled("name")?.split(separator: "/").last.map(String.init)
    let id = try query.filled("inboundSamlConfigId") ?? named ?? ""
    guard id.hasPrefix("saml."), id.count > 5, TextBounds.providerID.allow(id) else {
      throw WireError("INVALID_PROVIDER_ID", "The ID of a SAML provider begins with saml.")
    }
    let document = try checked(JSONValue.object(body.members).camelCased)
    let kept = try await change { known throws(WireError) in
      guard known[id] == nil else { throw WireError("CONFIGURATION_EXISTS") }
      guard known.count < Self.most else {
        throw WireError("QUOTA_EXCEEDED", "There are at most \(Self.most) SAML configurations.")
      }
      known[id] = document
      return document
    }
    return .json(shown(kept, id))
  }

  func update() async throws -> Answer {
    let id = path["id"] ?? ""
    let wanted = try DocumentChange(of: ProviderResource.saml.fields, call)
    let kept = try await change { [behavior] known throws(WireError) in
      guard let old = known[id] else { throw WireError("CONFIGURATION_NOT_FOUND") }
      let document = try checked(behavior.changed(old, by: wanted))
      known[id] = document
      return document
    }
    return .json(shown(kept, id))
  }

  func delete() async throws -> Answer {
    let id = path["id"] ?? ""
    return .json(
      try await change { known throws(WireError) in
        guard known.removeValue(forKey: id) != nil else {
          throw WireError("CONFIGURATION_NOT_FOUND")
        }
        return [:]
      })
  }

  private func known(_ id: String) async throws -> JSONValue {
    guard let document = Self.configurations(try await settings())[id] else {
      throw WireError("CONFIGURATION_NOT_FOUND")
    }
    return document
  }

  private func shown(_ document: JSONValue, _ id: String) -> JSONValue {
    document.merging(["name": .string("\(parent)/\(Self.collection)/\(id)")])
  }

  /// Returns the document without its name; throws `INVALID_CONFIG` if a part is missing that SAML needs.
  private func checked(_ document: JSONValue) throws(WireError) -> JSONValue {
    let fields = try WireFields(document)
    try ProviderResource.saml.fields.check(fields)
    try behavior.refuseUnknown(in: fields, among: ProviderResource.saml.fields)
    for (part, name) in [
      ("idpConfig", "idpEntityId"), ("idpConfig", "ssoUrl"), ("spConfig", "spEntityId"),
    ] {
      guard try fields.object(part)?.filled(name) != nil else {
        throw WireError("INVALID_CONFIG", "\(part).\(name) is missing.")
      }
    }
    guard case .object(var members) = document else { return document }
    members["name"] = nil
    return .object(members)
  }

  /// Changes the configurations as they are when the change is written, and returns the outcome.
  ///
  /// Of two requests at once the later one sees what the earlier one wrote.
  private func change<Outcome: Sendable>(
    _ change:
      @escaping @Sendable (inout [String: JSONValue]) throws(WireError) -> Outcome
  ) async throws -> Outcome {
    let outcome = NIOLockedValueBox<Result<Outcome, WireError>?>(nil)
    _ = try await graph.changeSettings(by: caller) { settings in
      var known = Self.configurations(settings)
      do throws(WireError) {
        let result = try change(&known)
        outcome.withLockedValue { $0 = .success(result) }
      } catch {
        return outcome.withLockedValue { $0 = .failure(error) }
      }
      var kept = KeptMembers(settings)
      kept.members[Self.collection] = known.isEmpty ? nil : .object(known)
      settings.keep(kept)
    }
    guard let outcome = outcome.withLockedValue(\.self) else { throw WireError.internalError }
    return try outcome.get()
  }
}

extension RequestHandler {
  /// Returns the provider that trusts a vendor.
  ///
  /// Throws `OPERATION_NOT_ALLOWED`, with a reason of its own for a configuration of SAML.
  func vendor(_ id: ProviderID, in scope: Scope) async throws -> any AuthProvider {
    if graph.providers[id] == nil, id.rawValue.hasPrefix("saml."),
      SAMLConfigurationHandler.configurations(try await graph.settings(of: scope))[id.rawValue]
        != nil
    {
      throw WireError("OPERATION_NOT_ALLOWED", "Sign-in with SAML is not supported.")
    }
    return try graph.providers.vendor(id)
  }
}
