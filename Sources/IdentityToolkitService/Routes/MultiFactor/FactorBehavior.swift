import AuthCore
import Foundation
import IdentityToolkit
import SessionTokens

/// Decisions on second factors and passkeys.
protocol FactorBehavior: Sendable {
  /// Returns the kind of factor in a body, by the member that each kind has.
  func factorKind(
    in body: WireFields, phone: String, totp: String
  ) throws(WireError) -> FactorKind
  /// Checks that a kind of factor may complete a sign-in.
  func checkSignIn(with kind: FactorKind, _ handler: MultiFactorHandler) async throws
  /// Returns the members that describe a factor in an answer, besides the tokens.
  func described(_ kind: FactorKind) -> [String: JSONValue]
  /// Returns the factor of a session after another factor is withdrawn.
  func factorLeft(to token: IDToken) -> SessionGrant.Factor?
  /// Notes that an account withdrew a second factor.
  func noteWithdrawal(by account: Account)
  /// The error for an expired code or enrollment.
  var endedFactorSession: WireError { get }
  /// Writes the credential of a sign-in that waits for its second factor.
  func text(of pending: PendingCredential, _ resolver: SecondFactorResolver, _ call: Call) -> String
  /// Reads a credential that a client gives back.
  func pendingCredential(_ text: String, _ call: Call) throws(WireError) -> PendingCredential
  /// The origin of the IDs of second factors that an update lists.
  var idsOfUpdatedFactors: EnrollmentIDs { get }
  /// Carries out a step of a passkey's enrollment or sign-in.
  func passkey(_ step: PasskeyStep, _ call: Call) async throws -> Answer
}

extension FactorBehavior {
  func factorKind(
    in body: WireFields, phone: String, totp: String
  ) throws(WireError) -> FactorKind {
    if body.has(phone) && body.has(totp) {
      throw WireError("INVALID_ARGUMENT", "The request has two kinds of second factor.")
    }
    return body.has(totp) ? .totp : .phone
  }

  // An enrolled factor signs in even if no further factors may be enrolled.
  func checkSignIn(with kind: FactorKind, _ handler: MultiFactorHandler) async throws {}

  func described(_ kind: FactorKind) -> [String: JSONValue] {
    [kind == .phone ? "phoneAuthInfo" : "totpAuthInfo": [:]]
  }

  func factorLeft(to token: IDToken) -> SessionGrant.Factor? { token.secondFactor }
  func noteWithdrawal(by account: Account) {}
  var idsOfUpdatedFactors: EnrollmentIDs { .sentOrMade }
  var endedFactorSession: WireError { WireError("SESSION_EXPIRED") }

  func text(
    of pending: PendingCredential, _ resolver: SecondFactorResolver, _ call: Call
  ) -> String {
    let holder = pending.holder.map { Data($0.rawValue.utf8).base64EncodedString() }
    return [pending.session, holder].compactMap(\.self).joined(separator: ".")
  }

  func pendingCredential(_ text: String, _ call: Call) throws(WireError) -> PendingCredential {
    let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
    let holder = parts.dropFirst().first.flatMap { Data(base64Encoded: $0) }
    return PendingCredential(
      session: parts.first ?? text,
      holder: holder.map { AccountID(String(decoding: $0, as: UTF8.self)) })
  }

  func passkey(_ step: PasskeyStep, _ call: Call) async throws -> Answer {
    throw WireError("OPERATION_NOT_ALLOWED", "Passkeys are not supported.")
  }
}
