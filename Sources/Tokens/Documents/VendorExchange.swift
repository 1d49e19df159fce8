package import AuthCore

/// Sends requests to vendors and reads the answers, with the same errors for keys, discovery, tokens and profiles.
package struct VendorExchange: Sendable {
  package let transport: any HTTPTransport
  package let step: FlowStep

  package static let maximumBytes = 256 << 10

  package init(transport: any HTTPTransport, step: FlowStep) {
    self.transport = transport
    self.step = step
  }

  /// Sends a request.
  ///
  /// Throws `network-request-failed` for a failed connection, a redirect, an answer that is too large, and the
  /// statuses 429 and 5xx. The caller handles any other status.
  package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    request.maximumResponseBytes = Self.maximumBytes
    let response: HTTPResponse
    do {
      response = try await transport.send(request)
    } catch var error as AuthError {
      error.step = error.step ?? step
      throw error
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw failure("could not be reached", request, cause: error)
    }
    switch response.status {
    case 300..<400:
      throw failure(
        "answered with a redirect (HTTP \(response.status)), which is not followed", request,
        remedy: "Configure the target of the redirect.")
    case 429:
      throw failure("takes no more requests for now (HTTP 429)", request)
    case 500...:
      throw failure("failed (HTTP \(response.status))", request)
    default: break
    }
    guard response.body.count <= Self.maximumBytes else {
      throw failure("answered with more than \(Self.maximumBytes >> 10) KiB", request)
    }
    return response
  }

  /// Reads the answer's body, whatever its content type; throws `network-request-failed` if it is not a JSON
  /// object.
  package func object(_ response: HTTPResponse, to request: HTTPRequest) throws(AuthError)
    -> JSONValue
  {
    let wrong = failure(
      "gave an answer that is no JSON object (HTTP \(response.status))", request,
      remedy: "Check the address that is configured.")
    let value = try json(response, to: request, otherwise: wrong)
    guard case .object = value else { throw wrong }
    return value
  }

  /// Reads the answer's body as JSON, or throws the given error.
  ///
  /// A byte order mark at its beginning is skipped (RFC 8259 section 8.1 permits that). A lone surrogate, such as the
  /// end of a text that was cut inside an emoji, is refused: readers replace it differently, so two people could get
  /// the same name.
  package func json(
    _ response: HTTPResponse, to request: HTTPRequest, otherwise wrong: AuthError
  ) throws(AuthError) -> JSONValue {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let body = response.body
    do throws(JSONReader.Failure) {
      return try JSONValue(strict: body.starts(with: mark) ? Array(body.dropFirst(3)) : body)
    } catch {
      guard error.isHalfCharacter else { throw wrong }
      throw failure(
        "gave an answer with half of a character in it (a lone surrogate, at byte \(error.offset))",
        request, remedy: "Have the person correct the name at the provider: an emoji in it was cut."
      )
    }
  }

  /// Requests a public document; any status but 200 is a failure.
  package func document(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await send(request)
    guard response.status == 200 else {
      throw failure(
        "has no such document (HTTP \(response.status))", request,
        remedy: "Check the address that is configured.")
    }
    return response
  }

  /// Sends a request with a person's credential; a status of 400 to 499 is the vendor's refusal.
  ///
  /// Throws `invalid-credential` too. The vendor's text about a refusal may repeat what it was sent, so no error
  /// contains it.
  package func resource(_ request: HTTPRequest) async throws -> JSONValue {
    let response = try await send(request)
    guard (200..<300).contains(response.status) else {
      throw AuthError(
        .invalidCredential,
        "\(URLText.host(of: request.url) ?? "The server") refuses the credential "
          + "(HTTP \(response.status)).", remedy: "Sign in with the provider again.", step: step)
    }
    return try object(response, to: request)
  }

  /// Makes an error that names the vendor's host, and nothing of the path, query or body.
  package func failure(
    _ what: String, _ request: HTTPRequest, remedy: String = "Try again later.",
    cause: (any Error)? = nil
  ) -> AuthError {
    AuthError(
      .networkRequestFailed, "\(URLText.host(of: request.url) ?? "The server") \(what).",
      remedy: remedy, step: step, cause: cause)
  }
}
