import AuthCore
import IdentityToolkit

/// The count of messages to phones.
extension Call {
  /// Counts a message to a phone before it is sent.
  ///
  /// A test number gets no message, and an admin's messages are not counted. Throws `TOO_MANY_ATTEMPTS_TRY_LATER`.
  func takeMessage(to number: PhoneNumber) async throws {
    if try await isTestNumber(number, age: .lastSeen) { return }
    do throws(WireError) {
      try takeMessage()
    } catch {
      // The number may be a test number by now.
      guard try await isTestNumber(number) else { throw error }
    }
  }

  /// Counts a message that is about to be sent.
  func takeMessage() throws(WireError) {
    guard !isPrivileged else { return }
    try services.limits.takeMessage(from: client.address, at: services.clock())
  }

  /// Tells whether a number has a fixed code and gets no messages.
  func isTestNumber(
    _ number: PhoneNumber, age: SettingsAge = .current
  ) async throws -> Bool {
    let settings = try await services.graph.settings(of: scope, age: age)
    let phone = settings.providers[ProviderID.phone.rawValue]
    return phone?.values["testNumbers"]?[number.text] != nil
  }
}
