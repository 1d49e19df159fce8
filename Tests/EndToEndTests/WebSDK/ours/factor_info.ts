// Ours: what an account tells of a second factor.

export class MultiFactorInfoImpl {
  private constructor(
    readonly factorId: string, readonly uid: string, readonly displayName: string | null,
    readonly enrollmentTime: string, readonly phoneNumber?: string
  ) {}

  static _fromServerResponse(_auth: any, factor: any): MultiFactorInfoImpl {
    const kind = "phoneInfo" in factor ? "phone" : "totp";
    return new MultiFactorInfoImpl(
      kind, factor.mfaEnrollmentId, factor.displayName ?? null,
      new Date(factor.enrolledAt).toUTCString(), factor.phoneInfo);
  }
}
