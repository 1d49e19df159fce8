import AuthCore

/// The calling codes and regions to which messages may be sent, a protection against expensive numbers.
struct AllowedRegions {
  private let prefixes: [String]
  private let regions: MessageRegions?

  /// Reads the settings of a scope.
  init(_ context: VerificationContext) throws(AuthError) {
    try self.init(context.settings, context.messageRegions)
  }

  /// Reads the setting; throws `operation-not-allowed` if one of its values is not a calling code.
  init(_ settings: ProviderSettings, _ regions: MessageRegions? = nil) throws(AuthError) {
    self.regions = regions
    prefixes = settings.list("allowedRegions")
    for prefix in prefixes {
      let digits = prefix.utf8.dropFirst()
      // A calling code has up to three digits; with an area code, as in +1809, up to seven.
      let isCode =
        prefix.hasPrefix("+") && (1...7).contains(digits.count) && digits.first != 0x30
        && digits.allSatisfy { (0x30...0x39).contains($0) }
      guard isCode else {
        throw AuthError(
          .operationNotAllowed,
          "allowedRegions of phone contains a value that is not a calling code.",
          field: "allowedRegions",
          remedy: "Set them with providers.configure(\"phone\", { allowedRegions = { \"+49\" } }).",
          step: .credential)
      }
    }
  }

  /// Throws `operation-not-allowed` if messages to the number's region are not allowed.
  func check(_ number: PhoneNumber) throws(AuthError) {
    guard prefixes.isEmpty || prefixes.contains(where: { number.text.hasPrefix($0) }) else {
      throw AuthError(
        .operationNotAllowed, "No messages are sent to this region.", field: "phoneNumber",
        remedy: "Allow it with providers.configure(\"phone\", { allowedRegions = … }).",
        step: .credential)
    }
    guard regions?.allows(CallingCodes.regions(of: number)) != false else {
      throw AuthError(
        .operationNotAllowed, "No messages are sent to this region.", field: "phoneNumber",
        remedy: "Allow it in smsRegionConfig of the project's configuration.", step: .credential)
    }
  }
}
