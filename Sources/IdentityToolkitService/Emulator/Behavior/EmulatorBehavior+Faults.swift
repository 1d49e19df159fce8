import AuthCore
import IdentityToolkit

/// The faults of requests in the emulator's own words.
extension EmulatorBehavior {
  func refuseUnknown(in body: WireFields, among fields: [RouteField]) throws(WireError) {}

  func wireError(_ error: any Error) -> WireError { Dispatcher.wireError(error) }
}

extension EmulatorBehavior {
  func take(
    testNumbers: JSONValue?, to settings: inout ProjectSettings, _ providers: ProviderRegistry
  ) throws {}
}
