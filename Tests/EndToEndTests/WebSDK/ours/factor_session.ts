// Ours: a session in which second factors are enrolled or used.

export const MultiFactorSessionType = { ENROLL: "enroll", SIGN_IN: "signIn" };

export class MultiFactorSessionImpl {
  constructor(readonly type: string, readonly credential: string, readonly user?: any) {}

  static _fromIdtoken(token: string, user: any): MultiFactorSessionImpl {
    return new MultiFactorSessionImpl(MultiFactorSessionType.ENROLL, token, user);
  }
}
