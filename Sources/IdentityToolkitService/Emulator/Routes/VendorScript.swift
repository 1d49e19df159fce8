/// The script of the vendor's sign-in page.
///
/// It returns what Firebase's clients accept as a vendor's answer: the page's own address with the provider and an ID
/// token that is plain JSON. A popup stays open: the SDK that opened it closes it when it has read the event.
enum VendorScript {
  static let text = #"""
    const values = JSON.parse(document.getElementById("values").textContent);
    const storageKey = values.apiKey + ":" + (values.appName || "");
    const element = (id) => document.getElementById(id);
    const form = element("main-form");
    const providerName = values.providerId[0].toUpperCase() + values.providerId.slice(1);
    document.querySelectorAll(".js-provider-id").forEach((place) => {
      place.textContent = providerName;
    });

    function show(text) { element("problem").textContent = text; }

    function showForm(isShown) {
      form.hidden = !isShown;
      element("accounts").hidden = isShown;
    }

    function random(count) { return Array.from(crypto.getRandomValues(new Uint32Array(count))); }

    function idToken(person) {
      return JSON.stringify(Object.assign(
        { iss: "", aud: "", exp: 0, iat: 0, email_verified: true }, person));
    }

    function answer(person) {
      const fields = new URLSearchParams();
      fields.set("providerId", values.providerId);
      fields.set("id_token", idToken(person));
      if (values.providerId.startsWith("saml.")) {
        fields.set("SAMLResponse", JSON.stringify({
          assertion: { subject: { nameId: person.email || person.sub }, attributeStatements: {} },
        }));
      }
      return location.href.split(/[?#]/)[0] + "?" + fields;
    }

    function signIn(person) { finish(answer(person), null); }

    function cancel() {
      finish(null, { code: "auth/user-cancelled", message: "The person cancelled the sign-in." });
    }

    function finish(urlResponse, error) {
      const event = {
        type: values.authType || "signInWithPopup", eventId: values.eventId || null,
        urlResponse, sessionId: "ValueNotUsedByAuthEmulator", postBody: "",
        tenantId: values.tenantId || null, error,
      };
      if (values.ibi) return goToApp(event);
      if (/popup/i.test(event.type)) return tellOpener(event);
      if (!/^https?:\/\//i.test(values.redirectUrl || "")) return show("There is no page to go back to.");
      sessionStorage.setItem(storageKey, JSON.stringify(event));
      location.assign(values.redirectUrl);
    }

    // An app on a phone is opened by the scheme that its client ID or app ID stands for.
    function goToApp(event) {
      const scheme = values.clientId ? values.clientId.split(".").reverse().join(".")
        : "app-" + (values.appId || "").replaceAll(":", "-");
      const link = new URLSearchParams({ authType: event.type, eventId: event.eventId || "" });
      if (event.error) link.set("firebaseError", JSON.stringify(event.error));
      else link.set("link", event.urlResponse);
      const place = location.origin + "/__/auth/callback?" + link;
      location.assign(scheme + "://firebaseauth/link?deep_link_id=" + encodeURIComponent(place));
    }

    // The app's page holds a frame of this origin, which takes the event to it.
    function tellOpener(event) {
      const frames = window.opener ? window.opener.frames : [];
      for (let i = 0; i < frames.length; i++) {
        try {
          const asked = new URLSearchParams(frames[i].location.search);
          if (asked.get("apiKey") !== values.apiKey || asked.get("appName") !== values.appName) continue;
          frames[i].postMessage({
            eventType: "sendAuthEvent", eventId: String(Math.random()).slice(2),
            data: { authEvent: event, storageKey },
          }, location.origin);
          return show("Done. The page that opened this one goes on.");
        } catch (foreign) { /* A frame of another origin. */ }
      }
      show("The page that opened this one is gone.");
    }

    for (const person of values.identities) {
      const item = document.createElement("li");
      item.className = "js-reuse-account";
      item.tabIndex = 0;
      item.textContent = [person.name, person.email, person.sub].filter(Boolean).join(" · ");
      item.onclick = () => signIn(person);
      item.onkeydown = (key) => { if (key.key === "Enter") signIn(person); };
      element("accounts-list").append(item);
    }
    element("no-accounts").hidden = values.identities.length > 0;

    element("add-account-button").onclick = () => {
      showForm(true);
      element("email-input").focus();
    };
    element("back-button").onclick = () => showForm(false);
    document.querySelector(".js-cancel").onclick = cancel;

    element("autogen-button").onclick = () => {
      const names = ["Amber", "Birch", "Cedar", "Fern", "Hazel", "Maple", "Olive", "Rowan", "Willow"];
      const [first, last, number] = random(3);
      const name = [names[first % names.length], names[last % names.length]];
      element("display-name-input").value = name.join(" ");
      element("screen-name-input").value = name.join("_").toLowerCase();
      element("email-input").value =
        name.join(".").toLowerCase() + "." + (number % 1000000) + "@example.com";
    };

    form.onsubmit = (submit) => {
      submit.preventDefault();
      const person = {};
      for (const [name, value] of new FormData(form)) if (value) person[name] = value;
      if (element("unverified-email-input").checked) person.email_verified = false;
      person.sub = random(4).map((n) => String(n).padStart(10, "0")).join("");
      signIn(person);
    };
    """#
}
