// Ours: the words that tabs of one app exchange; only tabs with this bundle hear them.

export const _EventType = { KEY_CHANGED: "keyChanged", PING: "ping" };
export const _Status = { ACK: "ack", DONE: "done" };
export const _TimeoutDuration = { ACK: 50, COMPLETION: 3000, LONG_ACK: 800 };
export const _MessageError = {
  CONNECTION_UNAVAILABLE: "connection_unavailable", INVALID_RESPONSE: "invalid_response",
  TIMEOUT: "timeout", UNSUPPORTED_EVENT: "unsupported_event",
};
