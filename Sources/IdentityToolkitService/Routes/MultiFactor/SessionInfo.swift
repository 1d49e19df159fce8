import AuthCore

/// Firebase's `sessionInfo`: the ID of a sent code, and of an enrollment if the code is for one.
struct SessionInfo: Sendable, Hashable {
  let session: String?
  /// The ID of the sent code; nil for an authenticator app.
  let verificationID: String?

  /// Identifies an enrollment, to complete it.
  init(_ enrollment: SecondFactorEnrollment) {
    session = enrollment.session
    verificationID = enrollment.verificationID
  }

  /// Identifies a code in the emulator's list.
  init(_ open: OpenPhoneCode) {
    verificationID = open.verificationID
    if case .enrollment(let session) = open.purpose {
      self.session = session
    } else {
      session = nil
    }
  }

  /// Reads the text of an enrollment.
  ///
  /// Returns nil for any other text.
  init?(enrollment text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    session = parts[0]
    verificationID = parts.count == 2 ? parts[1] : nil
  }

  var text: String { [session, verificationID].compactMap(\.self).joined(separator: ".") }
}
