import AuthCore
import IdentityToolkit
import SessionTokens

/// Decisions on the parts of a service.
protocol AssemblyBehavior: Sendable {
  /// The differences in how accounts behave.
  var quirks: EmulatorQuirks { get }
  /// The time limit of a blocking function, unless an admin chose another.
  var functionTimeout: Duration { get }
  /// Returns the form of the tokens, given the admin's signing algorithm.
  func tokenStyle(_ signing: SigningAlgorithm) -> TokenService.Style
  /// Returns the providers, given those that were configured.
  func providers(_ registry: ProviderRegistry) -> ProviderRegistry
  /// Returns the app verifier, given the one that was configured.
  func appVerifier(_ verifier: (any AppVerifying)?) -> (any AppVerifying)?
}

extension AssemblyBehavior {
  var quirks: EmulatorQuirks { .production }
  var functionTimeout: Duration { .seconds(7) }
  func tokenStyle(_ signing: SigningAlgorithm) -> TokenService.Style { .signed(signing) }
  func providers(_ registry: ProviderRegistry) -> ProviderRegistry { registry }
  func appVerifier(_ verifier: (any AppVerifying)?) -> (any AppVerifying)? { verifier }
}
