import AuthCore
import Foundation
import IdentityToolkit

/// Firebase's `mfaPendingCredential`: names a sign-in that waits for its second factor.
///
/// In production it is opaque. The emulator's tells in base64 what it stands for, and carries the name of what
/// waits as a member of our own.
struct PendingCredential: Sendable {
  static let marker = "_AuthEmulatorMfaPendingCredential"
  let session: String
  /// Whose session began what waits, where one did: of a link that has to go on in it.
  let holder: AccountID?

  init(session: String) {
    self.session = session
    holder = nil
  }

  /// Writes the credential of a resolver.
  static func text(of resolver: MultiFactorResolver, _ call: Call) -> String {
    let holder = try? call.body.filled("idToken").flatMap { _ in resolver.account }
    guard call.isEmulator else {
      return [resolver.session, holder.map { Data($0.rawValue.utf8).base64EncodedString() }]
        .compactMap(\.self).joined(separator: ".")
    }
    var members: [String: JSONValue] = [
      marker: "DO NOT MODIFY", "localId": .string(resolver.account?.rawValue ?? ""),
      "signInProvider": .string(resolver.provider.map(name) ?? ""),
      "projectId": .string(call.project), "session": .string(resolver.session),
    ]
    if let tenant = call.tenant { members["tenantId"] = .string(tenant) }
    if let holder { members["holder"] = .string(holder.rawValue) }
    return Data(JSONValue.object(members).text.utf8).base64EncodedString()
  }

  private static func name(_ provider: ProviderID) -> String {
    provider == .emailLink ? ProviderID.password.rawValue : provider.rawValue
  }

  /// Reads what a client gives back.
  ///
  /// Throws the emulator's words for a text that is none of its credentials, or one of another project.
  init(_ text: String, _ call: Call) throws(WireError) {
    guard call.isEmulator else {
      let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
      session = parts.first ?? text
      holder = parts.dropFirst().first.flatMap { Data(base64Encoded: $0) }
        .map { AccountID(String(decoding: $0, as: UTF8.self)) }
      return
    }
    guard let data = Data(base64Encoded: text),
      let json = try? JSONValue(text: String(decoding: data, as: UTF8.self)),
      json[Self.marker] != nil, let session = json["session"]?.stringValue
    else { throw WireError("((Invalid phoneVerificationInfo.mfaPendingCredential.))") }
    guard json["projectId"]?.stringValue == call.project else {
      throw WireError(
        "INVALID_PROJECT_ID", "Project ID does not match MFA pending credential.")
    }
    guard json["tenantId"]?.stringValue == call.tenant else {
      throw WireError("INVALID_PROJECT_ID", "Project ID does not match MFA pending credential.")
    }
    self.session = session
    holder = json["holder"]?.stringValue.map { AccountID($0) }
  }

  /// Who goes on with what waits.
  ///
  /// A client sends no ID token with it. The name of what waits, which nobody can guess, stands for the session
  /// that began it; what is done then is judged by that session as it was, not by what is said here.
  func caller(_ call: Call) -> Caller {
    guard let holder else { return call.caller }
    var caller = Caller(
      scope: call.scope,
      authority: .session(holder, signedInAt: Timestamp(milliseconds: 0), secondFactor: false))
    caller.client = call.client
    return caller
  }

  /// What the graph takes in place of the resolver that it gave.
  var resolver: MultiFactorResolver {
    MultiFactorResolver(session: session, hints: [], expiresAt: Timestamp(milliseconds: 0))
  }
}
