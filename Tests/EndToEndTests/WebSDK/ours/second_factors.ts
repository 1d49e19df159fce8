// Ours: second factors at sign-in and for a user, by the SDK's own requests.

import {
  finalizeEnrollPhoneMfa, finalizeEnrollTotpMfa, startEnrollTotpMfa,
} from "../api/account_management/mfa";
import { finalizeSignInPhoneMfa, finalizeSignInTotpMfa } from "../api/authentication/mfa";
import { _castAuth } from "../core/auth/auth_impl";
import { UserCredentialImpl } from "../core/user/user_credential_impl";
import { MultiFactorInfoImpl } from "./mfa_info";
import { MultiFactorSessionImpl, MultiFactorSessionType } from "./mfa_session";

/** What an error of `auth/multi-factor-auth-required` needs to go on. */
export function getMultiFactorResolver(auth: any, error: any) {
  const internal = _castAuth(auth);
  const begun = error.customData._serverResponse;
  const session = new MultiFactorSessionImpl(
    MultiFactorSessionType.SIGN_IN, begun.mfaPendingCredential);
  return {
    session,
    hints: begun.mfaInfo.map((factor: any) =>
      MultiFactorInfoImpl._fromServerResponse(internal, factor)),
    async resolveSignIn(assertion: any) {
      const { mfaInfo, mfaPendingCredential, ...rest } = begun;
      const tokens = { ...rest, ...(await assertion._process(internal, session)) };
      if (error.operationType !== "signIn") {
        return UserCredentialImpl._forOperation(error.user, error.operationType, tokens);
      }
      const made = await UserCredentialImpl._fromIdTokenResponse(
        internal, error.operationType, tokens);
      await internal._updateCurrentUser(made.user);
      return made;
    },
  };
}

export const PhoneMultiFactorGenerator = {
  assertion(credential: any) {
    return {
      _process(auth: any, session: any, displayName?: string | null): Promise<any> {
        const phoneVerificationInfo = credential._makeVerificationRequest();
        return session.type === MultiFactorSessionType.ENROLL
          ? finalizeEnrollPhoneMfa(
            auth, { idToken: session.credential, displayName, phoneVerificationInfo })
          : finalizeSignInPhoneMfa(
            auth, { mfaPendingCredential: session.credential, phoneVerificationInfo });
      },
    };
  },
};

export const TotpMultiFactorGenerator = {
  async generateSecret(session: any) {
    const answer = await startEnrollTotpMfa(
      session.user.auth, { idToken: session.credential, totpEnrollmentInfo: {} });
    const { sharedSecretKey, sessionInfo } = answer.totpSessionInfo;
    return { secretKey: sharedSecretKey, sessionInfo };
  },

  assertionForEnrollment(secret: any, verificationCode: string) {
    return {
      _process(auth: any, session: any, displayName?: string | null): Promise<any> {
        const totpVerificationInfo = { sessionInfo: secret.sessionInfo, verificationCode };
        return finalizeEnrollTotpMfa(
          auth, { idToken: session.credential, displayName, totpVerificationInfo });
      },
    };
  },

  assertionForSignIn(mfaEnrollmentId: string, verificationCode: string) {
    return {
      _process(auth: any, session: any): Promise<any> {
        return finalizeSignInTotpMfa(auth, {
          mfaPendingCredential: session.credential, mfaEnrollmentId,
          totpVerificationInfo: { verificationCode },
        });
      },
    };
  },
};
