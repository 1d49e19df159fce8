import AuthCore

/// Firebase's `sessionInfo`: names a code that was sent, and for an enrolment the enrolment too.
struct SessionInfo: Sendable, Hashable {
  let session: String?
  /// Nil for an authenticator app, which is sent nothing.
  let verificationID: String?

  /// What an enrolment is gone on with.
  init(_ enrollment: SecondFactorEnrollment) {
    session = enrollment.session
    verificationID = enrollment.verificationID
  }

  /// What a code in the emulator's list was given out with.
  init(_ open: OpenPhoneCode) {
    verificationID = open.verificationID
    if case .enrollment(let session) = open.purpose {
      self.session = session
    } else {
      session = nil
    }
  }

  /// Reads what an enrolment gave; nil where it has not the form.
  init?(enrollment text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    session = parts[0]
    verificationID = parts.count == 2 ? parts[1] : nil
  }

  var text: String { [session, verificationID].compactMap(\.self).joined(separator: ".") }
}
