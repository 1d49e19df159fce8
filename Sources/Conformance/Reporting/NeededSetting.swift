/// A setting of the server without which cases fail.
public enum NeededSetting: Sendable, Hashable, CaseIterable {
  /// The limits of rates have to be off.
  case rateLimits
  /// Messages need a way to be sent.
  case messages

  /// The cause and the remedy, as they follow the number of cases.
  public var remedy: String {
    switch self {
    case .rateLimits: "met the server's limits. Set its rateLimits to 0 for the run."
    case .messages:
      "met a server that sends no messages. Set its messages, for the run to { log: true }."
    }
  }
}

extension IncomingAnswer {
  /// The setting that a refusal is about.
  var neededSetting: NeededSetting? {
    if isLimit { return .rateLimits }
    let refusal = "OPERATION_NOT_ALLOWED : This server has no way to send such messages."
    return errorMessage == refusal ? .messages : nil
  }

  /// True for a refusal because of a limit of rates.
  private var isLimit: Bool {
    let codes = ["TOO_MANY_ATTEMPTS_TRY_LATER", "QUOTA_EXCEEDED", "RESET_PASSWORD_EXCEED_LIMIT"]
    return status == 429 || codes.contains { errorMessage?.hasPrefix($0) ?? false }
  }
}
