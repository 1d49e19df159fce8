extension SecondFactorEnrollment {
  /// Rebuilds an enrolment from the values of its beginning, to finish it with the first code.
  ///
  /// The end only determines how long the use is remembered, and must not be earlier than the original one.
  public init(resuming session: String, verificationID: String?, expiresAt: Timestamp) {
    self.init(session: session, verificationID: verificationID, expiresAt: expiresAt)
  }

  /// Returns the latest possible end of an enrolment that is open now.
  public static func latestEnd(at now: Timestamp) -> Timestamp {
    now.adding(seconds: AccountGraph.enrollmentLifetime)
  }
}
