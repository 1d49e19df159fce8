public import AuthCore

extension PhoneProvider: SettingsChecking {
  /// The largest number of test numbers, as in Firebase.
  private static let maximumTestNumbers = 10

  /// Checks that there are few test numbers, that each is a phone number, and that codes have six digits.
  public func check(_ settings: ProviderSettings) throws {
    _ = try lifetime(settings)
    _ = try AllowedRegions(settings)
    let numbers = settings.names("testNumbers")
    guard numbers.count <= Self.maximumTestNumbers else {
      throw AuthError(
        .invalidArgument,
        "There are \(numbers.count) test numbers, and \(Self.maximumTestNumbers) are allowed.",
        field: "testNumbers", remedy: "Keep at most \(Self.maximumTestNumbers).")
    }
    for (number, code) in numbers.sorted(by: { $0.key < $1.key }) {
      let isCode =
        code.utf8.count == 6
        && code.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard isCode, (try? PhoneNumber(number)) != nil else {
        throw AuthError(
          .invalidArgument, "A test number is an E.164 number with a code of six digits.",
          field: "testNumbers",
          remedy: "Write testNumbers = { [\"+15555550100\"] = \"123456\" }.")
      }
    }
  }
}
