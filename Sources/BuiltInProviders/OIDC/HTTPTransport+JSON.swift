import AuthCore

extension HTTPTransport {
  /// Sends a request of a provider and reads its answer, which has to be a JSON object.
  ///
  /// Throws `network-request-failed` where the vendor has trouble, `quota-exceeded` where it was asked too
  /// often, and `invalid-credential` where it refuses. What the vendor writes about a refusal may hold what
  /// it was sent, so it goes into no error.
  func json(
    _ request: HTTPRequest, of provider: ProviderID, step: FlowStep
  ) async throws -> JSONValue {
    let response: HTTPResponse
    do {
      response = try await send(request)
    } catch var error as AuthError {
      error.step = error.step ?? step
      throw error
    }
    switch response.status {
    case 200..<300:
      guard case .object(let members) = response.json else {
        throw AuthError(
          .networkRequestFailed, "\(provider) answered with something that is no JSON object.",
          remedy: "Try again later.", step: step)
      }
      return .object(members)
    case 429:
      throw AuthError(
        .quotaExceeded, "\(provider) was asked too often.", remedy: "Try again later.", step: step)
    case 400..<500:
      throw AuthError(
        .invalidCredential, "\(provider) refused the credential with HTTP \(response.status).",
        remedy: "Sign in with the provider again.", step: step)
    case 300..<400:
      throw AuthError(
        .networkRequestFailed, "\(provider) answered with a redirect, which is not followed.",
        remedy: "Configure the endpoint that it leads to.", step: step)
    default:
      throw AuthError(
        .networkRequestFailed, "\(provider) answered with HTTP \(response.status).",
        remedy: "Try again later.", step: step)
    }
  }
}
