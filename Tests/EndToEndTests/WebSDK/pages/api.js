// Ours: in place of the library that Google serves as https://apis.google.com/js/api.js. It has what Firebase's SDK and
// the frame of a server use of it: frames and pages that send each other messages.
(() => {
  const own = document.currentScript;
  const any = () => true;
  let last = 0;

  // One end of a line between a page and its frame.
  class Iframe {
    constructor(target, origin) {
      this.handlers = new Map();
      this.waiting = new Map();
      this.queue = [];
      this.isOpen = false;
      this.post = (message) => target().postMessage({ line: "gapi", ...message }, origin);
      addEventListener("message", (message) => {
        const isOurs = message.source === target() && message.origin === origin;
        if (isOurs && message.data?.line === "gapi") this.receive(message.data);
      });
    }

    receive(message) {
      if (message.kind === "open") this.open();
      else if (message.kind === "answer") this.finish(message);
      else this.answer(message);
    }

    finish({ id, data }) {
      // The SDK throws in some of its callbacks, and the library takes no notice of it.
      try { this.waiting.get(id)?.(data); } catch (ignored) { /* As above. */ }
      this.waiting.delete(id);
    }

    open() {
      if (this.isOpen) return;
      this.isOpen = true;
      this.post({ kind: "open" });
      this.queue.splice(0).forEach((message) => this.post(message));
    }

    async answer({ id, type, data }) {
      const handler = type === "ping" ? () => null : this.handlers.get(type);
      if (handler) this.post({ kind: "answer", id, data: [await handler(data)] });
    }

    send(type, data, callback) {
      const id = ++last;
      if (callback) this.waiting.set(id, callback);
      const message = { kind: "message", id, type, data };
      if (this.isOpen) this.post(message); else this.queue.push(message);
    }

    register(type, handler) { this.handlers.set(type, handler); }

    ping(callback) {
      return new Promise((resolve) => {
        this.send("ping", null, (data) => { callback?.(data); resolve(data); });
      });
    }

    async restyle() {}
  }

  const context = {
    async open({ where, url, attributes }, callback) {
      const frame = document.createElement("iframe");
      const { style, ...others } = attributes;
      for (const [name, value] of Object.entries(others)) frame.setAttribute(name, value);
      Object.assign(frame.style, style);
      const line = new Iframe(() => frame.contentWindow, new URL(url).origin);
      frame.src = `${url}#parent=${encodeURIComponent(location.origin)}`;
      where.append(frame);
      return callback(line);
    },

    getParentIframe() {
      if (!this.parent) {
        const origin = new URLSearchParams(location.hash.slice(1)).get("parent");
        this.parent = new Iframe(() => window.parent, origin);
        this.parent.post({ kind: "open" });
      }
      return this.parent;
    },
  };

  window.gapi = {
    load(_name, then) { (then.callback ?? then)(); },
    iframes: { CROSS_ORIGIN_IFRAMES_FILTER: any, Iframe, getContext: () => context },
  };
  window[new URL(own.src).searchParams.get("onload")]?.();
})();
