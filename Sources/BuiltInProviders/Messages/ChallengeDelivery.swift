import AuthCore

extension VerificationContext {
  /// Returns the one-time codes; throws `operation-not-allowed` if there is no store to keep them.
  func openCodes(of provider: ProviderID) throws(AuthError) -> OneTimeCodes {
    guard let codes else {
      throw AuthError(
        .operationNotAllowed, "The provider \(provider) needs a store to keep its codes in.",
        remedy: "Use it through a graph.", step: .credential)
    }
    return codes
  }

  /// Sends a message; a sender's error that is not an ``AuthError`` is wrapped in one.
  ///
  /// The code stays valid if sending fails: the message may have arrived although the answer did not.
  func deliver(_ message: OutgoingMessage) async throws {
    do {
      try await messages.send(message)
    } catch var error as AuthError {
      error.step = error.step ?? .credential
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      throw AuthError(
        .internalError, "The message could not be sent.",
        remedy: "Read the server's log, and try again.", step: .credential, cause: error)
    }
  }

  /// Refuses a proof that was made for one account and is shown for another account or for a sign-in.
  func checkOwner(of checked: OneTimeCodes.Checked) throws(AuthError) {
    guard let owner = checked.account, owner != account else { return }
    throw AuthError(
      .invalidVerificationID, "The code was made for another account.", field: "verificationID",
      remedy: "Ask for a new code.", step: .credential)
  }
}

extension ChallengeRequest {
  /// The effect of the proof, for the message: `sign-in` or `link`.
  var intent: String { account == nil ? "sign-in" : "link" }
}

extension ProviderSettings {
  /// A duration in seconds; throws `operation-not-allowed` if the setting is out of bounds.
  func seconds(
    _ field: String, default usual: Int64, in bounds: ClosedRange<Int64>
  ) throws(AuthError) -> Int64 {
    let seconds = number(field) ?? usual
    guard bounds.contains(seconds) else {
      throw AuthError(
        .operationNotAllowed,
        "The \(field) of \(provider) is \(seconds), and has to be from \(bounds.lowerBound) to "
          + "\(bounds.upperBound).", field: field,
        remedy: "Set it with providers.configure(\"\(provider)\", { \(field) = \(usual) }).",
        step: .credential)
    }
    return seconds
  }
}
