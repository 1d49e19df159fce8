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

  init(session: String) { self.session = session }

  /// Writes the credential of a resolver.
  static func text(of resolver: MultiFactorResolver, _ call: Call) -> String {
    guard call.isEmulator else { return resolver.session }
    var members: [String: JSONValue] = [
      marker: "DO NOT MODIFY", "localId": .string(resolver.account?.rawValue ?? ""),
      "signInProvider": .string(resolver.provider.map(name) ?? ""),
      "projectId": .string(call.project), "session": .string(resolver.session),
    ]
    if let tenant = call.tenant { members["tenantId"] = .string(tenant) }
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
      session = text
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
  }

  /// What the graph takes in place of the resolver that it gave.
  var resolver: MultiFactorResolver {
    MultiFactorResolver(session: session, hints: [], expiresAt: Timestamp(milliseconds: 0))
  }
}
