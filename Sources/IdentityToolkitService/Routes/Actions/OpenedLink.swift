import AuthCore
import IdentityToolkit

/// The parameters of a link to an action page, as a browser opened it.
struct OpenedLink: Sendable {
  let mode: String
  let code: String
  let continueURL: String?
  let key: String
  let language: String
  let tenant: String?
  /// The project, if it is not the server's default one.
  let project: String?

  init(_ fields: WireFields) throws(WireError) {
    mode = try fields.filled("mode") ?? ""
    code = try fields.filled("oobCode") ?? ""
    continueURL = try fields.filled("continueUrl")
    key = try fields.filled("apiKey") ?? ""
    language = WireLanguage(try fields.filled("lang")).tag
    tenant = try fields.filled("tenantId")
    project = try fields.filled("projectId")
  }

  /// The parameters of the link.
  var fields: [(name: String, value: String)] {
    var fields = [
      (name: "mode", value: mode), (name: "lang", value: language),
      (name: "oobCode", value: code), (name: "apiKey", value: key),
    ]
    if let continueURL { fields.append((name: "continueUrl", value: continueURL)) }
    if let tenant { fields.append((name: "tenantId", value: tenant)) }
    if let project { fields.append((name: "projectId", value: project)) }
    return fields
  }

  var operation: ActionCode.Operation? {
    ActionCode.Operation.allCases.first { $0.linkMode == mode }
  }

  /// Returns the client's call in the project of the link, found by its API key or its ID.
  func call(from call: Call) -> Call {
    let settings = call.services.settings
    let named = project ?? settings.apiKeys[key]
    let isServed = named.map { call.behavior.serves($0, settings) } ?? false
    return Call(
      services: call.services, project: isServed ? named ?? call.project : call.project,
      tenant: call.tenant, right: nil, path: call.path, query: call.query, body: call.body,
      client: call.client, headers: call.headers)
  }
}
