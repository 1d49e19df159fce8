import AuthCore
import IdentityToolkit

/// The faults of requests in the emulator's own words.
extension EmulatorBehavior {
  func refuseUnknown(in body: WireFields, among fields: [RouteField]) throws(WireError) {}

  func told(_ error: AuthError) -> WireError {
    WireError(WireError(error).code)
  }

  func wireError(_ error: any Error) -> WireError { Dispatcher.wireError(error) }
}

/// Settings that the emulator does not have.
extension EmulatorBehavior {
  func linkDomain(of call: Call) async throws -> String? { nil }

  func take(
    testNumbers: JSONValue?, to settings: inout ProjectSettings, _ providers: ProviderRegistry
  ) throws {}
}
