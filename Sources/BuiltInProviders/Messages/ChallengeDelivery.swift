import AuthCore

extension VerificationContext {
  /// What makes and checks codes; throws `operation-not-allowed` where there is nothing to keep them.
  func openCodes(of provider: ProviderID) throws(AuthError) -> OneTimeCodes {
    guard let codes else {
      throw AuthError(
        .operationNotAllowed, "The provider \(provider) needs a store to keep its codes in.",
        remedy: "Use it through a graph.", step: .credential)
    }
    return codes
  }

  /// Sends a message; an error of the sender that is no ``AuthError`` becomes one.
  ///
  /// The code stays good where sending fails: the message may have arrived although the answer did not.
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
        remedy: "Look into the log, and try again.", step: .credential, cause: error)
    }
  }

  /// Refuses a proof that was made for one account alone and is shown for another, or for a sign-in.
  func checkOwner(of checked: OneTimeCodes.Checked) throws(AuthError) {
    guard let owner = checked.account, owner != account else { return }
    throw AuthError(
      .invalidVerificationID, "The code was made for something else.", field: "verificationID",
      remedy: "Ask for a new code.", step: .credential)
  }
}

extension ChallengeRequest {
  /// What using the proof does, for the message.
  var intent: String { account == nil ? "sign-in" : "link" }
}

extension ProviderSettings {
  /// A length of time in seconds; throws `operation-not-allowed` where the setting is out of bounds.
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
