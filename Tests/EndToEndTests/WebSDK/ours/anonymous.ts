// Ours: a sign-in without any credential.

import { _castAuth } from "../auth/auth_impl";
import { signUp } from "../../api/authentication/sign_up";
import { UserCredentialImpl } from "../user/user_credential_impl";
import { OperationType } from "../../model/enums";

export async function signInAnonymously(auth: any): Promise<any> {
  const internal = _castAuth(auth);
  await internal._initializationPromise;
  const answer = await signUp(internal, { returnSecureToken: true });
  const credential = await UserCredentialImpl._fromIdTokenResponse(
    internal, OperationType.SIGN_IN as any, answer, true);
  await internal._updateCurrentUser(credential.user);
  return credential;
}
