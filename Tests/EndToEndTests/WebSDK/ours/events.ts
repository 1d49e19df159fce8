// Ours: the types of a sign-in's events, and the answers to them.

export const AuthEventType = {
  LINK_VIA_POPUP: "linkViaPopup", LINK_VIA_REDIRECT: "linkViaRedirect",
  REAUTH_VIA_POPUP: "reauthViaPopup", REAUTH_VIA_REDIRECT: "reauthViaRedirect",
  SIGN_IN_VIA_POPUP: "signInViaPopup", SIGN_IN_VIA_REDIRECT: "signInViaRedirect",
  UNKNOWN: "unknown",
};

export const GapiOutcome = { ACK: "ACK", ERROR: "ERROR" };
