// An app with Firebase's JavaScript SDK. A test names an action, and clicks on the button, which begins it.
import * as sdk from "./auth.js";

const config = await (await fetch("config.json")).json();

function makeApp(name, apiKey = config.apiKey) {
  const app = sdk.initializeApp({ apiKey, authDomain: config.authDomain }, name);
  const auth = sdk.getAuth(app);
  if (config.emulator) sdk.connectAuthEmulator(auth, config.emulator, { disableWarnings: true });
  else Object.assign(auth.config, config.api);
  return auth;
}

const auth = makeApp();
await auth.authStateReady();
let failure = null;
let resolver = null;
let secret = null;

function provider(id) {
  return id === "google.com" ? new sdk.GoogleAuthProvider() : new sdk.OAuthProvider(id);
}

function credentialOf(error) {
  return error.customData?._tokenResponse?.providerId === "google.com"
    ? sdk.GoogleAuthProvider.credentialFromError(error)
    : sdk.OAuthProvider.credentialFromError(error);
}

function describe(user) {
  return user && {
    uid: user.uid, email: user.email, isAnonymous: user.isAnonymous,
    providers: user.providerData.map((entry) => entry.providerId).sort(),
  };
}

function result(made) {
  return made && { ...describe(made.user), operation: made.operationType, provider: made.providerId };
}

async function call(operation, body) {
  const answer = await fetch(`${config.rest}/v1/accounts:${operation}?key=${config.apiKey}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  const members = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(members.error.message), { code: members.error.message });
  return members;
}

// The verifier of a page whose project has no reCAPTCHA.
const verifier = { type: "recaptcha", verify: async () => "none", _reset() {} };

const actions = {
  current: async () => describe(auth.currentUser),
  signInByPopup: async (id) => result(await sdk.signInWithPopup(auth, provider(id))),
  linkByPopup: async (id) => result(await sdk.linkWithPopup(auth.currentUser, provider(id))),
  reauthenticateByPopup: async (id) =>
    result(await sdk.reauthenticateWithPopup(auth.currentUser, provider(id))),
  signInByRedirect: (id) => sdk.signInWithRedirect(auth, provider(id)),
  linkByRedirect: (id) => sdk.linkWithRedirect(auth.currentUser, provider(id)),
  reauthenticateByRedirect: (id) => sdk.reauthenticateWithRedirect(auth.currentUser, provider(id)),
  redirectResult: async () => result(await sdk.getRedirectResult(auth)),
  signInAnonymously: async () => result(await sdk.signInAnonymously(auth)),
  // The credential of the last error.
  signInWithFailure: async () =>
    result(await sdk.signInWithCredential(auth, credentialOf(failure))),
  linkWithFailure: async () =>
    result(await sdk.linkWithCredential(auth.currentUser, credentialOf(failure))),
  unlink: async (id) => describe(await sdk.unlink(auth.currentUser, id)),
  signOut: async () => auth.signOut(),
  signInByPopupWithKey: async (key) =>
    result(await sdk.signInWithPopup(makeApp("other", key), provider("google.com"))),
  // A browser that shows no popup.
  signInByBlockedPopup: async (id) => {
    window.open = () => null;
    return result(await sdk.signInWithPopup(auth, provider(id)));
  },
  persist: async (kind) => auth.setPersistence(sdk[kind]),
  reload: async () => {
    await auth.currentUser.reload();
    return describe(auth.currentUser);
  },
  // Another device of the person, with a session that this page does not know.
  deleteElsewhere: async () => {
    const other = makeApp("other");
    await other.setPersistence(sdk.inMemoryPersistence);
    await other.updateCurrentUser(auth.currentUser);
    await other.currentUser.delete();
  },
  isRecent: async () => {
    const { claims } = await sdk.getIdTokenResult(auth.currentUser, true);
    return Date.now() / 1000 - claims.auth_time < 60;
  },

  // The account of the last conflict becomes part of the user's own: its owner proves it by signing in.
  merge: async () => {
    const other = makeApp("other");
    const { user } = await sdk.signInWithCredential(other, credentialOf(failure));
    const both = {
      idToken: await auth.currentUser.getIdToken(), absorbIdToken: await user.getIdToken(),
      policy: "survivor",
    };
    const { revisions } = await call("planMerge", both);
    const merged = await call("merge", { ...both, revisions });
    await other.signOut();
    await auth.currentUser.reload();
    return { ...describe(auth.currentUser), survivor: merged.localId, absorbed: user.uid };
  },

  beginPhone: async (number) => {
    const session = await sdk.multiFactor(auth.currentUser).getSession();
    secret = await new sdk.PhoneAuthProvider(auth).verifyPhoneNumber(
      { phoneNumber: number, session }, verifier);
  },
  enrollPhone: async (code) => {
    const credential = sdk.PhoneAuthProvider.credential(secret, code);
    const factors = sdk.multiFactor(auth.currentUser);
    await factors.enroll(sdk.PhoneMultiFactorGenerator.assertion(credential), "phone");
    return factors.enrolledFactors.map((factor) => factor.factorId);
  },
  beginCodes: async () => {
    const session = await sdk.multiFactor(auth.currentUser).getSession();
    secret = await sdk.TotpMultiFactorGenerator.generateSecret(session);
    return secret.secretKey;
  },
  enrollCodes: async (code) => {
    const assertion = sdk.TotpMultiFactorGenerator.assertionForEnrollment(secret, code);
    const factors = sdk.multiFactor(auth.currentUser);
    await factors.enroll(assertion, "codes");
    return factors.enrolledFactors.map((factor) => factor.factorId);
  },
  secondFactor: async () => {
    resolver = sdk.getMultiFactorResolver(auth, failure);
    const [hint] = resolver.hints;
    if (hint.factorId === "phone") {
      secret = await new sdk.PhoneAuthProvider(auth).verifyPhoneNumber(
        { multiFactorHint: hint, session: resolver.session }, verifier);
    }
    return hint.factorId;
  },
  finishSignIn: async (code) => {
    const [hint] = resolver.hints;
    const assertion = hint.factorId === "phone"
      ? sdk.PhoneMultiFactorGenerator.assertion(sdk.PhoneAuthProvider.credential(secret, code))
      : sdk.TotpMultiFactorGenerator.assertionForSignIn(hint.uid, code);
    return result(await resolver.resolveSignIn(assertion));
  },
};

async function run(name, parameter) {
  try {
    return { value: (await actions[name](parameter)) ?? null };
  } catch (error) {
    if (!error.code) throw error;
    failure = error;
    return { error: error.code, email: error.customData?.email ?? null };
  }
}

let next = null;
window.app = {
  isReady: true,
  // The outcome of the last action, and of those that ended after another one began.
  outcome: null,
  late: [],
  prepare(name, parameter) {
    next = { name, parameter };
    window.app.outcome = null;
  },
};
document.getElementById("go").onclick = async () => {
  const own = next;
  const outcome = await run(own.name, own.parameter);
  if (own === next) window.app.outcome = outcome; else window.app.late.push(outcome);
};
