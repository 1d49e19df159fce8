// Ours: what the SDK's part for browsers needs of its core.

export { connectAuthEmulator } from "./core/auth/emulator";
export { initializeAuth } from "./core/auth/initialize";

export function beforeAuthStateChanged(auth: any, ...rest: any[]): any {
  return auth.beforeAuthStateChanged(...rest);
}

export function onIdTokenChanged(auth: any, ...rest: any[]): any {
  return auth.onIdTokenChanged(...rest);
}
