/// The script of the frame that a web app holds while it waits for a sign-in.
///
/// It passes an event to the page around it only if the event is for that page's app and, as far as the browser names
/// the page's origin, for that origin. Which pages can hold the frame at all is in the header fields of its own page.
/// Without an app it passes no event.
enum AppFrameScript {
  static let text = #"""
    "use strict";
    const app = JSON.parse(document.getElementById("values").textContent).app;
    const key = app && "authgraph:" + JSON.stringify([app.apiKey, app.appName]);
    const lifetime = 10 * 60 * 1000;
    const nothing = {
      type: "unknown", eventId: null, urlResponse: null, sessionId: null, postBody: null,
      tenantId: null, error: { code: "auth/no-auth-event", message: "No sign-in is under way." },
    };
    const holder = originOfHolder();
    const seen = new Set();
    const waiting = [];
    let send = (event) => waiting.push(event);

    function originOfHolder() {
      const known = location.ancestorOrigins;
      if (known && known.length) return known[0];
      try { return new URL(document.referrer).origin; } catch (unnamed) { return null; }
    }

    function isOurs(message) {
      return app && message && message.kind === "authgraph.event"
        && message.app.apiKey === app.apiKey && message.app.appName === app.appName
        && (holder === null || message.origin === holder);
    }

    function receive(message, answer) {
      if (!isOurs(message)) return;
      if (!seen.has(message.id)) {
        seen.add(message.id);
        send(message.event);
      }
      answer({ kind: "authgraph.taken", id: message.id });
    }

    // The event of a redirect, which the page before left in this tab.
    function keptEvent() {
      try {
        const message = JSON.parse(sessionStorage.getItem(key));
        if (!isOurs(message)) return null;
        sessionStorage.removeItem(key);
        return Date.now() - message.time < lifetime ? message.event : null;
      } catch (refused) { return null; }
    }

    function listen() {
      addEventListener("message", (message) => {
        if (message.origin !== location.origin) return;
        receive(message.data, (answer) => message.source.postMessage(answer, location.origin));
      });
      if (holder === null) return;
      // Every tab of the app hears the channel; the SDK takes the event that it waits for.
      try {
        const channel = new BroadcastChannel(key);
        channel.onmessage = (message) => {
          receive(message.data, (answer) => channel.postMessage(answer));
        };
      } catch (refused) { /* Without the channel, events come from the popup itself. */ }
    }

    function connect() {
      const filter = gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER;
      const page = gapi.iframes.getContext().getParentIframe();
      // Popups need no storage.
      page.register(
        "webStorageSupport", () => ({ status: "ACK", webStorageSupport: true }), filter);

      // The page may not listen yet; it takes an event once.
      function pass(authEvent, attempt) {
        let isAnswered = false;
        page.send(
          "authEvent", { type: "authEvent", authEvent }, () => { isAnswered = true; }, filter);
        setTimeout(() => {
          if (!isAnswered && attempt < 5) pass(authEvent, attempt + 1);
        }, 1000);
      }

      send = (event) => pass(event, 1);
      send(keptEvent() || nothing);
      waiting.splice(0).forEach((event) => send(event));
    }

    // The loader of gapi calls it.
    function authgraphConnect() {
      if (window.parent !== window) gapi.load("gapi.iframes", { callback: connect });
    }

    if (app && window.parent !== window) listen();
    """#
}
