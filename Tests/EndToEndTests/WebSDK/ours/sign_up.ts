// Ours: the request that makes an account.

import { _addTidIfNecessary, _performSignInRequest, HttpMethod } from "../index";

export function signUp(auth: any, request: any): Promise<any> {
  const path = "/v1/accounts:signUp" as any;
  return _performSignInRequest(auth, HttpMethod.POST, path, _addTidIfNecessary(auth, request));
}
