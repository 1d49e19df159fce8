// Ours: what the pages use of the SDK.

export { initializeApp } from "@firebase/app";
export { getAuth } from "./src/platform_browser/index";
export { connectAuthEmulator } from "./src/core/auth/emulator";
export { signInAnonymously } from "./src/core/strategies/anonymous";
export { inMemoryPersistence } from "./src/core/persistence/in_memory";
export { signInWithCredential, linkWithCredential } from "./src/core/strategies/credential";
export { unlink } from "./src/core/user/link_unlink";
export { getIdTokenResult } from "./src/core/user/id_token_result";
export { multiFactor } from "./src/mfa/mfa_user";
export {
  getMultiFactorResolver, PhoneMultiFactorGenerator, TotpMultiFactorGenerator,
} from "./src/mfa/second_factors";
export { GoogleAuthProvider } from "./src/core/providers/google";
export { OAuthProvider } from "./src/core/providers/oauth";
export { indexedDBLocalPersistence } from "./src/platform_browser/persistence/indexed_db";
export { browserLocalPersistence } from "./src/platform_browser/persistence/local_storage";
export { browserSessionPersistence } from "./src/platform_browser/persistence/session_storage";
export { RecaptchaVerifier } from "./src/platform_browser/recaptcha/recaptcha_verifier";
export { PhoneAuthProvider } from "./src/platform_browser/providers/phone";
export { signInWithPhoneNumber } from "./src/platform_browser/strategies/phone";
export {
  linkWithPopup, reauthenticateWithPopup, signInWithPopup,
} from "./src/platform_browser/strategies/popup";
export {
  getRedirectResult, linkWithRedirect, reauthenticateWithRedirect, signInWithRedirect,
} from "./src/platform_browser/strategies/redirect";
