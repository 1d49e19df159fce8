/// The script of the vendor's sign-in page.
///
/// It returns what Firebase's clients accept as a vendor's answer: the page's own address with the provider and an ID
/// token that is plain JSON.
enum VendorScript {
  static let text = #"""
    const values = JSON.parse(document.getElementById("values").textContent);
    const storageKey = values.apiKey + ":" + (values.appName || "");
    document.getElementById("provider").textContent = values.providerId;

    function show(problem) { document.getElementById("problem").textContent = problem; }

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

    function finish(person) {
      const event = {
        type: values.authType || "signInWithPopup", eventId: values.eventId || null,
        urlResponse: answer(person), sessionId: "ValueNotUsedByAuthEmulator", postBody: "",
        tenantId: values.tenantId || null, error: null,
      };
      if (values.ibi) return goToApp(event);
      if (/popup/i.test(event.type)) return tellOpener(event);
      sessionStorage.setItem(storageKey, JSON.stringify(event));
      if (!/^https?:\/\//i.test(values.redirectUrl || "")) return show("There is no page to go back to.");
      location.assign(values.redirectUrl);
    }

    // An app on a phone is opened by the scheme that its client ID or app ID stands for.
    function goToApp(event) {
      const scheme = values.clientId ? values.clientId.split(".").reverse().join(".")
        : "app-" + (values.appId || "").replaceAll(":", "-");
      const link = new URLSearchParams(
        { authType: event.type, eventId: event.eventId || "", link: event.urlResponse });
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
          return window.close();
        } catch (foreign) { /* A frame of another origin. */ }
      }
      show("The page that opened this one is gone.");
    }

    for (const person of values.identities) {
      const button = document.createElement("button");
      button.textContent = [person.name, person.email, person.sub].filter(Boolean).join(" · ");
      button.onclick = () => finish(person);
      const item = document.createElement("li");
      item.append(button);
      document.getElementById("known").append(item);
    }

    document.getElementById("new").onsubmit = (submit) => {
      submit.preventDefault();
      const person = {};
      for (const [name, value] of new FormData(submit.target)) if (value) person[name] = value;
      const digits = crypto.getRandomValues(new Uint32Array(4));
      person.sub = Array.from(digits, (n) => String(n).padStart(10, "0")).join("");
      finish(person);
    };
    """#
}
