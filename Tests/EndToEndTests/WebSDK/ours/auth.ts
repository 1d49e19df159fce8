// Ours: what the pages use of the SDK.

export { initializeApp } from "@firebase/app";
export { getAuth } from "./src/platform_browser/index";
export { connectAuthEmulator } from "./src/core/auth/emulator";
export { signInAnonymously } from "./src/core/strategies/anonymous";
export { signInWithCredential, linkWithCredential } from "./src/core/strategies/credential";
export { unlink } from "./src/core/user/link_unlink";
export { getIdTokenResult } from "./src/core/user/id_token_result";
export { multiFactor } from "./src/mfa/mfa_user";
export {
  getMultiFactorResolver, PhoneMultiFactorGenerator, TotpMultiFactorGenerator,
} from "./src/mfa/second_factors";
export { GoogleAuthProvider } from "./src/core/providers/google";
export { OAuthProvider } from "./src/core/providers/oauth";
export { RecaptchaVerifier } from "./src/platform_browser/recaptcha/recaptcha_verifier";
export { PhoneAuthProvider } from "./src/platform_browser/providers/phone";
export { signInWithPhoneNumber } from "./src/platform_browser/strategies/phone";
export {
  linkWithPopup, reauthenticateWithPopup, signInWithPopup,
} from "./src/platform_browser/strategies/popup";
export {
  getRedirectResult, linkWithRedirect, signInWithRedirect,
} from "./src/platform_browser/strategies/redirect";
