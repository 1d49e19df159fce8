// Ours: the protocol's names, in place of constants that a bundle does not keep as files.

export const ProviderId = {
  CUSTOM: "custom", FACEBOOK: "facebook.com", FIREBASE: "firebase", GITHUB: "github.com",
  GOOGLE: "google.com", PASSWORD: "password", PHONE: "phone", TWITTER: "twitter.com",
};

export const SignInMethod = {
  EMAIL_LINK: "emailLink", EMAIL_PASSWORD: "password", FACEBOOK: "facebook.com",
  GITHUB: "github.com", GOOGLE: "google.com", PHONE: "phone", TWITTER: "twitter.com",
};

export const OperationType = {
  LINK: "link", REAUTHENTICATE: "reauthenticate", SIGN_IN: "signIn",
};

export const ActionCodeOperation = {
  EMAIL_SIGNIN: "EMAIL_SIGNIN", PASSWORD_RESET: "PASSWORD_RESET", RECOVER_EMAIL: "RECOVER_EMAIL",
  REVERT_SECOND_FACTOR_ADDITION: "REVERT_SECOND_FACTOR_ADDITION",
  VERIFY_AND_CHANGE_EMAIL: "VERIFY_AND_CHANGE_EMAIL", VERIFY_EMAIL: "VERIFY_EMAIL",
};
