// Ours: the credentials' common class.

export { AuthCredential } from "./auth_credential";
