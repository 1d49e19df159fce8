/// The script of the page on which a web app's sign-in ends.
///
/// A popup posts its event to the frames of the page that opened it, to windows of its own origin alone. A vendor's
/// page can cut off the opener (Cross-Origin-Opener-Policy); then a channel of the origin reaches the frame.
enum HandlerScript {
  static let text = #"""
    "use strict";
    const values = JSON.parse(document.getElementById("values").textContent);
    const key = "authgraph:" + JSON.stringify([values.app.apiKey, values.app.appName]);
    const message = {
      kind: "authgraph.event", id: crypto.getRandomValues(new Uint32Array(4)).join("-"),
      time: Date.now(), app: values.app, origin: new URL(values.address).origin,
      event: values.event,
    };

    function show(text) { document.getElementById("state").textContent = text; }

    function goBack() {
      try {
        sessionStorage.setItem(key, JSON.stringify(message));
      } catch (refused) {
        return show("This browser does not let the page keep data, so the sign-in cannot go on.");
      }
      location.replace(values.address);
    }

    function openChannel() {
      try { return new BroadcastChannel(key); } catch (refused) { return null; }
    }

    function tellOpener() {
      const channel = openChannel();
      let isTaken = false;

      function take(answer) {
        if (!answer || answer.kind !== "authgraph.taken" || answer.id !== message.id) return;
        if (isTaken) return;
        isTaken = true;
        show("You can close this window.");
        // The SDK closes it as soon as it has used the event.
        setTimeout(() => close(), 10000);
      }

      function post() {
        const opener = window.opener;
        for (let i = 0; opener && i < opener.length; i++) {
          opener[i].postMessage(message, location.origin);
        }
      }

      function attempt(count) {
        if (isTaken) return;
        if (count > 20) {
          return show("The page that opened this window is gone. Close it and try again.");
        }
        post();
        if (count > 1 && channel) channel.postMessage(message);
        setTimeout(attempt, 250, count + 1);
      }

      addEventListener("message", (answer) => {
        if (answer.origin === location.origin) take(answer.data);
      });
      if (channel) channel.onmessage = (answer) => take(answer.data);
      attempt(0);
    }

    if (values.isPopup) tellOpener(); else goBack();
    """#
}
