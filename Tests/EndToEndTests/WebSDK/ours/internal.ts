// Ours: the usual hosts of the API.

export { DefaultConfig } from "./src/core/auth/auth_impl";
