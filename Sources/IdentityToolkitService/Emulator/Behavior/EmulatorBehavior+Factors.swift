import AuthCore
import Foundation
import IdentityToolkit
import SessionTokens

extension EmulatorBehavior {
  /// Reads every factor as a phone, because the emulator has no other kind.
  func factorKind(
    in body: WireFields, phone: String, totp: String
  ) throws(WireError) -> FactorKind { .phone }

  func checkSignIn(with kind: FactorKind, _ handler: MultiFactorHandler) async throws {
    try await handler.requireFactors(kind)
  }

  func described(_ kind: FactorKind) -> [String: JSONValue] { [:] }
  func factorLeft(to token: IDToken) -> SessionGrant.Factor? { nil }
  func noteWithdrawal(by account: Account) { memory.noteWithdrawal(by: account) }
  var idsOfUpdatedFactors: EnrollmentIDs { .sent }
  var endedFactorSession: WireError { WireError("INVALID_SESSION_INFO") }

  private static var marker: String { "_AuthEmulatorMfaPendingCredential" }

  /// Encodes the credential in base64, with the name of the pending sign-in as a member of AuthGraph's own.
  func text(
    of pending: PendingCredential, _ resolver: SecondFactorResolver, _ call: Call
  ) -> String {
    let provider = resolver.provider == .emailLink ? .password : resolver.provider
    var members: [String: JSONValue] = [
      Self.marker: "DO NOT MODIFY", "localId": .string(resolver.account?.rawValue ?? ""),
      "signInProvider": .string(provider?.rawValue ?? ""),
      "projectId": .string(call.project), "session": .string(pending.session),
    ]
    if let tenant = call.tenant { members["tenantId"] = .string(tenant) }
    if let holder = pending.holder { members["holder"] = .string(holder.rawValue) }
    return Data(JSONValue.object(members).text.utf8).base64EncodedString()
  }

  /// Throws the emulator's errors for a text that is not a credential of it, or that belongs to another project.
  func pendingCredential(_ text: String, _ call: Call) throws(WireError) -> PendingCredential {
    guard let data = Data(base64Encoded: text),
      let json = try? JSONValue(text: String(decoding: data, as: UTF8.self)),
      json[Self.marker] != nil, let session = json["session"]?.stringValue
    else { throw WireError("((Invalid phoneVerificationInfo.mfaPendingCredential.))") }
    guard json["projectId"]?.stringValue == call.project,
      json["tenantId"]?.stringValue == call.tenant
    else {
      throw WireError("INVALID_PROJECT_ID", "Project ID does not match MFA pending credential.")
    }
    return PendingCredential(
      session: session, holder: json["holder"]?.stringValue.map { AccountID($0) })
  }

  func passkey(_ step: PasskeyStep, _ call: Call) async throws -> Answer {
    let handler = EmulatedPasskeyHandler(call)
    return switch step {
    case .beginEnrollment: try await handler.startEnrollment()
    case .finishEnrollment: try await handler.finalizeEnrollment()
    case .beginSignIn: try await handler.startSignIn()
    case .finishSignIn: try await handler.finalizeSignIn()
    }
  }
}
