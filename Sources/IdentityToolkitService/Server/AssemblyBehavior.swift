import AuthCore
import IdentityToolkit
import SessionTokens

/// The parts of a service.
protocol AssemblyBehavior: Sendable {
  /// What accounts do otherwise.
  var quirks: EmulatorQuirks { get }
  /// The time that a blocking function has, unless an admin chose another.
  var functionTimeout: Duration { get }
  /// Returns the form of the tokens, given what an admin chose to sign them with.
  func tokenStyle(_ signing: SigningAlgorithm) -> TokenService.Style
  /// Returns the ways to sign in, given those that were set up.
  func providers(_ registry: ProviderRegistry) -> ProviderRegistry
  /// Returns the check of requests for a code to a phone, given the one that was set up.
  func appVerifier(_ verifier: (any AppVerifying)?) -> (any AppVerifying)?
}

extension AssemblyBehavior {
  var quirks: EmulatorQuirks { .production }
  var functionTimeout: Duration { .seconds(7) }
  func tokenStyle(_ signing: SigningAlgorithm) -> TokenService.Style { .signed(signing) }
  func providers(_ registry: ProviderRegistry) -> ProviderRegistry { registry }
  func appVerifier(_ verifier: (any AppVerifying)?) -> (any AppVerifying)? { verifier }
}
