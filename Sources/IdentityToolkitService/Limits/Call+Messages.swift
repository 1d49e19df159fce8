import AuthCore

/// The count of messages to phones.
extension Call {
  /// Counts a message to a phone before it is sent.
  ///
  /// A test number gets no message, and an admin's messages are not counted. Throws `TOO_MANY_ATTEMPTS_TRY_LATER`.
  func takeMessage(to number: PhoneNumber) async throws {
    guard try await !isTestNumber(number) else { return }
    try takeMessage()
  }

  /// Counts a message that is about to be sent.
  func takeMessage() throws {
    guard !isPrivileged else { return }
    try services.limits.takeMessage(from: client.address, at: services.clock())
  }

  /// Tells whether a number has a fixed code and gets no messages.
  func isTestNumber(_ number: PhoneNumber) async throws -> Bool {
    let phone = try await settings().providers[ProviderID.phone.rawValue]
    return phone?.values["testNumbers"]?[number.text] != nil
  }
}
