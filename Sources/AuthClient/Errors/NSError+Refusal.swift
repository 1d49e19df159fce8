import AuthValues
import Foundation
import IdentityToolkit

extension NSError {
  /// Returns the error for a server's refusal, from its status and body.
  ///
  /// A server in the same process also gives the cause of its own fault.
  static func refusal(status: Int, body: Data, cause: (any Error)? = nil) -> NSError {
    let refusal = refusal(status: status, body: body)
    return cause.map(refusal.caused(by:)) ?? refusal
  }

  private static func refusal(status: Int, body: Data) -> NSError {
    let json = try? JSONValue(text: String(decoding: body, as: UTF8.self))
    guard let error = json?["error"], let message = error["message"]?.stringValue else {
      return unknownRefusal("The server refused without saying why.", status: status, body: body)
    }
    var reasons: [String] = []
    if case .array(let items)? = error["errors"] {
      reasons = items.compactMap { $0["reason"]?.stringValue }
    }
    return refusal(message: message, reasons: reasons, body: body, status: status)
  }

  /// Returns the error for a refusal's message: `CODE` or `CODE : detail`.
  ///
  /// The message is an error's, or the `errorMessage` of a successful answer, whose body then describes a conflict.
  static func refusal(
    message text: String, reasons: [String] = [], body: Data? = nil, status: Int
  ) -> NSError {
    let message = ServerMessage(text)
    if message.code == "UNSURE_COMMIT" {
      return unsureCommit(text, status: status, body: body)
    }
    guard let code = message.clientCode else {
      if let code = AuthErrorCode(reasons: reasons, message: message) {
        return auth(code, message: code == .invalidAPIKey ? nil : message.detail)
      }
      return unknownRefusal("The server answered: \(text.prefix(500))", status: status, body: body)
    }
    switch code {
    case .weakPassword:
      return auth(code, reason: message.detail)
    case .operationNotAllowed where message.code == "MERGE_REFUSED":
      return auth(
        code, message: "The project's merge policy refused to merge the two accounts.",
        reason: message.detail
      ).adding(refusalCode: reasons.first { $0 != "invalid" })
    case .blockingCloudFunctionError:
      return auth(code, message: message.functionMessage ?? message.detail)
    case .credentialAlreadyInUse:
      let (email, credential) = conflict(body)
      return auth(
        code, message: message.detail, email: email, updatedCredential: credential)
    default:
      return auth(code, message: message.detail)
    }
  }

  /// Returns the address and the credential of a conflict's answer.
  private static func conflict(_ body: Data?) -> (email: String?, OAuthCredential?) {
    guard let body, let json = try? JSONValue(text: String(decoding: body, as: UTF8.self)),
      let answer = try? WireFields(json)
    else { return (nil, nil) }
    let provider = (try? answer.filled("providerId")) ?? nil
    let credential = provider.flatMap { OAuthCredential(provider: $0, answer: answer) }
    return ((try? answer.filled("email")) ?? nil, credential)
  }

  /// Returns the error for a change whose commit was not confirmed.
  private static func unsureCommit(_ text: String, status: Int, body: Data?) -> NSError {
    auth(
      .internalError,
      message: "It is not known whether the change was made, because the server lost its database. "
        + "Look for the change before you try again.",
      reason: "UNSURE_COMMIT",
      underlying: beneath(.unexpectedErrorResponse, text, status: status, body: body))
  }

  /// Adds the code that a merge policy gave its refusal.
  private func adding(refusalCode: String?) -> NSError {
    guard let refusalCode else { return self }
    var userInfo = userInfo
    userInfo[AuthErrors.userInfoMergeRefusalCodeKey] = refusalCode
    return NSError(domain: domain, code: code, userInfo: userInfo)
  }

  /// Adds the cause of the server's fault, with its reason.
  private func caused(by cause: any Error) -> NSError {
    var userInfo = userInfo
    userInfo[NSUnderlyingErrorKey] = cause as NSError
    if userInfo[NSLocalizedFailureReasonErrorKey] == nil {
      userInfo[NSLocalizedFailureReasonErrorKey] =
        (cause as? AuthError)?.wholeText ?? cause.localizedDescription
    }
    return NSError(domain: domain, code: code, userInfo: userInfo)
  }

  /// Returns the error for a refusal that is none of the codes, such as a server that is not available now.
  private static func unknownRefusal(_ message: String, status: Int, body: Data?) -> NSError {
    auth(
      .internalError, message: message,
      underlying: beneath(.unexpectedErrorResponse, message, status: status, body: body),
      isRetryable: [429, 502, 503, 504].contains(status) ? true : nil)
  }
}

extension AuthErrorCode {
  /// Reads the problem with an API key from the items of an error.
  fileprivate init?(reasons: [String], message: ServerMessage) {
    if reasons.contains(where: { $0.hasPrefix("keyInvalid") })
      || message.code == WireError.missingKey.message
    {
      self = .invalidAPIKey
    } else if reasons.contains("ipRefererBlocked") {
      self = .appNotAuthorized
    } else {
      return nil
    }
  }
}
