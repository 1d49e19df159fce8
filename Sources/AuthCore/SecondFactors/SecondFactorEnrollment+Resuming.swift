extension SecondFactorEnrollment {
  /// Puts an enrolment together again from what its beginning gave, to be finished with the first code.
  ///
  /// The end only says how long its use is remembered; it has to be no earlier than the one that it began with.
  public init(resuming session: String, verificationID: String?, expiresAt: Timestamp) {
    self.init(session: session, verificationID: verificationID, expiresAt: expiresAt)
  }

  /// The latest end of an enrolment that is open at a moment.
  public static func latestEnd(at now: Timestamp) -> Timestamp {
    now.adding(seconds: AccountGraph.enrollmentLifetime)
  }
}
