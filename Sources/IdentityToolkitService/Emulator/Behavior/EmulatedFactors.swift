import AuthCore
import IdentityToolkit

/// The second factors in the emulator's documents, which give back what they were given.
enum EmulatedFactors {
  /// Returns the second factors of a project; nil if none were given.
  static func value(_ settings: ProjectSettings) -> JSONValue? {
    let factors = settings.signIn.multiFactor
    guard let state = factors.statedState else { return nil }
    return [
      "state": .string(state), "enabledProviders": providers(factors),
      "providerConfigs": MultiFactorDocument.value(settings)["providerConfigs"] ?? [],
    ]
  }

  /// Returns the list of providers as it was given.
  static func providers(_ factors: MultiFactorSettings) -> JSONValue {
    guard let listed = factors.statedProviders else {
      return MultiFactorDocument.providers(factors)
    }
    return .array(listed.split(separator: ",").map { .string(String($0)) })
  }

  /// Reads the second factors of a project; without any, a phone may be one.
  static func read(_ document: WireFields?) throws(WireError) -> MultiFactorSettings {
    var factors = MultiFactorSettings()
    guard let document else { return factors }
    factors.state = try MultiFactorDocument.state(document, mandatory: .enabled) ?? .enabled
    factors.statedState = try MultiFactorDocument.stated(document) ?? factors.state.rawValue
    if let listed = try document.texts("enabledProviders") {
      factors.allowsPhone = listed.contains(MultiFactorDocument.phone)
      factors.statedProviders = listed.joined(separator: ",")
    }
    for entry in try document.objects("providerConfigs") ?? [] where entry.has("totpProviderConfig")
    {
      factors.allowsTOTP = try MultiFactorDocument.state(entry) == .enabled
    }
    return factors
  }
}
