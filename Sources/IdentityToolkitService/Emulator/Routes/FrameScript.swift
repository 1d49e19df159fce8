/// The script of the frame that an app's page holds while a popup is open, or after a redirect.
enum FrameScript {
  static let text = #"""
    const values = JSON.parse(document.getElementById("values").textContent);
    const storageKey = values.apiKey + ":" + values.appName;
    const nothing = {
      type: "unknown", eventId: null, sessionId: null, urlResponse: null, postBody: null,
      tenantId: null, error: { code: "auth/no-auth-event", message: "An internal error has occurred." },
    };

    function begin() {
      gapi.load("gapi.iframes", () => {
        const anyOrigin = gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER;
        const app = gapi.iframes.getContext().getParentIframe();

        // The page listens only when it knows that the frame is there; it takes an event once.
        function send(authEvent, attempt = 1) {
          let isAnswered = false;
          app.send(
            "authEvent", { type: "authEvent", authEvent }, () => { isAnswered = true; }, anyOrigin);
          setTimeout(() => {
            if (!isAnswered && attempt < 10) send(authEvent, attempt + 1);
          }, 100 * attempt);
        }

        app.register(
          "webStorageSupport", () => ({ status: "ACK", webStorageSupport: true }), anyOrigin);
        addEventListener("message", (message) => {
          if (message.origin !== location.origin) return;
          if (!message.data || message.data.eventType !== "sendAuthEvent") return;
          if (message.data.data.storageKey === storageKey) send(message.data.data.authEvent);
        });
        send(keptEvent() || nothing);
      });
    }

    // The event of a redirect. A browser can refuse the storage to a frame in a page of another site.
    function keptEvent() {
      try {
        const kept = sessionStorage.getItem(storageKey);
        sessionStorage.removeItem(storageKey);
        return JSON.parse(kept);
      } catch (refused) { return null; }
    }
    """#
}
