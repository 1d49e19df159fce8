import AuthCore
import IdentityToolkit

/// A page of an app with Firebase's JavaScript SDK: its API key and the name of the SDK's app in it.
struct WebApp: Sendable, Hashable {
  let apiKey: String
  let name: String

  /// Reads an app from the parameters of an address.
  ///
  /// Throws `MISSING_APP_NAME`, or `INVALID_APP_NAME` for one of more than 1,024 bytes.
  init(_ asked: [String: String]) throws(WireError) {
    guard let key = asked["apiKey"], !key.isEmpty else { throw WireError.missingKey }
    guard let name = asked["appName"], !name.isEmpty else { throw WireError("MISSING_APP_NAME") }
    guard WebSignIn.bounds.allow(name) else { throw WireError("INVALID_APP_NAME") }
    (apiKey, self.name) = (key, name)
  }

  init?(_ value: JSONValue?) {
    guard let key = value?["apiKey"]?.stringValue, let name = value?["appName"]?.stringValue
    else { return nil }
    (apiKey, self.name) = (key, name)
  }

  var value: JSONValue { ["apiKey": .string(apiKey), "appName": .string(name)] }
}

/// A sign-in that a page began with Firebase's JavaScript SDK.
///
/// It ends as an event, which a page of this server passes to the frame that the app holds.
struct WebSignIn: Sendable, Hashable {
  /// The operations of the SDK, by their names in its addresses and events.
  enum Operation: String, Sendable, Hashable, CaseIterable {
    case signInViaPopup, linkViaPopup, reauthViaPopup
    case signInViaRedirect, linkViaRedirect, reauthViaRedirect

    /// True if the app's page stays open and waits for the event.
    var isPopup: Bool {
      switch self {
      case .signInViaPopup, .linkViaPopup, .reauthViaPopup: true
      case .signInViaRedirect, .linkViaRedirect, .reauthViaRedirect: false
      }
    }
  }

  let operation: Operation
  let app: WebApp
  /// The SDK's name of the event, which it expects back.
  let eventID: String?

  /// The maximum length of an app's name and an event's ID.
  static let bounds = TextBounds(bytes: 1024)

  /// Reads a sign-in from the parameters of an address.
  ///
  /// Nil if it is of another SDK, which has other names of operations. Throws like ``WebApp/init(_:)``, and
  /// `INVALID_EVENT_ID` for one of more than 1,024 bytes.
  init?(_ asked: [String: String]) throws(WireError) {
    guard let operation = asked["authType"].flatMap(Operation.init) else { return nil }
    let id = asked["eventId"].flatMap { $0.isEmpty ? nil : $0 }
    guard id.map(Self.bounds.allow) != false else { throw WireError("INVALID_EVENT_ID") }
    self.operation = operation
    app = try WebApp(asked)
    eventID = id
  }

  init?(_ value: JSONValue?) {
    guard let operation = value?["operation"]?.stringValue.flatMap(Operation.init),
      let app = WebApp(value?["app"])
    else { return nil }
    self.operation = operation
    self.app = app
    eventID = value?["eventId"]?.stringValue
  }

  var value: JSONValue {
    [
      "operation": .string(operation.rawValue), "app": app.value, "eventId": .optional(eventID),
    ]
  }

  /// Returns the event as the SDK reads it.
  func event(_ outcome: Outcome, tenant: String?) -> JSONValue {
    var event: [String: JSONValue] = [
      "type": .string(operation.rawValue), "eventId": .optional(eventID), "urlResponse": .null,
      "sessionId": .null, "postBody": .null, "tenantId": .optional(tenant), "error": .null,
    ]
    switch outcome {
    case .verified(let address, let session):
      event["urlResponse"] = .string(address)
      event["sessionId"] = .string(session)
    case .refused(let code, let message):
      event["error"] = ["code": .string("auth/\(code)"), "message": .string(message)]
    }
    return .object(event)
  }
}
