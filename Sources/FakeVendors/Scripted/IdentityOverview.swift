public import AuthCore

/// An overview of a scripted identity provider: addresses, apps, people and its setup in the console.
public struct IdentityOverview: Sendable {
  /// The server's URL.
  let address: String
  let host: String
  let script: IdentityScript

  private static let paths = [
    ("discovery", "/.well-known/openid-configuration"), ("authorize", "/authorize"),
    ("token", "/token"), ("userinfo", "/userinfo"), ("keys", ScriptedEndpoints.keysPath),
    ("introspect", "/introspect"), ("revoke", "/revoke"), ("tokens", "/tokens"),
    ("hostile", "/hostile"),
  ]

  /// A line for the console that configures the provider as `oidc.idp`, with its first app.
  ///
  /// If the script has its own issuer, the line is for the plug-in with that issuer, whose ID is not known.
  public var consoleLine: String {
    let provider = script.vendor?.id ?? (script.issuer == nil ? "oidc.idp" : "ID")
    let words = settings.map { "\($0.name) = \(Self.lua($0.value))" }
    return "providers.configure(\"\(provider)\", { \(words.joined(separator: ", ")) })"
  }

  /// The settings of ``consoleLine``, in its order.
  public var settings: [(name: String, value: JSONValue)] {
    let client = script.clients.first ?? .idp
    let vendor = script.vendor
    let issuer = script.issuer
    var settings: [(name: String, value: JSONValue)] = []
    if vendor == nil, issuer == nil { settings.append(("issuer", .string(address))) }
    settings += (vendor?.identifiers ?? ["clientID"]).map { ($0, .string(client.id)) }
    if let secret = client.secret {
      settings += (vendor?.secrets ?? ["clientSecret"]).map { ($0, .string(secret)) }
    }
    settings += (vendor?.settings ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let hosts = vendor?.hosts ?? issuer.map { [URLText.host(of: $0) ?? $0] } ?? []
    if !hosts.isEmpty {
      let servers = hosts.map { ($0, JSONValue.string(address)) }
      settings.append(("servers", .object(Dictionary(servers) { first, _ in first })))
    }
    return settings + [("privateHosts", [.string(host)])]
  }

  private var issuer: String { script.issuer ?? address }

  /// The overview as text for people.
  public var text: String {
    var lines = ["Issuer     \(issuer)", "", "Endpoints"]
    lines += Self.paths.map { "  \(Self.padded($0.0)) \(address)\($0.1)" }
    lines += (script.vendor?.paths ?? []).map {
      "  \(Self.padded($0.purpose)) \(address)\($0.path)"
    }
    lines += script.routes.map { "  \(Self.padded("route")) \($0.name)" }
    lines += ["", "Apps"]
    lines += script.clients.map { client in
      let secret = client.secret.map { "secret \($0)" } ?? "no secret, PKCE"
      let addresses = client.redirectURIs.joined(separator: " ")
      return "  \(client.id), \(secret), sent back to \(addresses.isEmpty ? "anywhere" : addresses)"
    }
    lines += ["", "People"]
    lines += script.people.map { person in
      let word = person.emailVerified.map { $0 ? " (verified)" : " (not verified)" } ?? ""
      let parts = [person.subject, person.name, person.email.map { $0 + word }]
      return "  " + parts.compactMap(\.self).joined(separator: ", ")
    }
    if !script.hostile.names.isEmpty {
      lines += ["", "Hostile", "  \(script.hostile.names.joined(separator: ", "))"]
    }
    lines += [
      "", "In the console", "  \(consoleLine)", "", "Tokens without a browser",
      "  curl '\(address)/tokens?person=\(subject)'", "",
    ]
    return lines.joined(separator: "\n")
  }

  private var subject: String { URLText.escaped(script.people.first?.subject ?? "") }

  /// The overview as JSON for programs.
  public var json: JSONValue {
    let endpoints = Self.paths.map { ($0.0, JSONValue.string(address + $0.1)) }
    return [
      "issuer": .string(issuer), "address": .string(address), "host": .string(host),
      "endpoints": .object(Dictionary(endpoints) { first, _ in first }),
      "routes": .array(script.routes.map { .string($0.name) }),
      "played": .array((script.vendor?.paths ?? []).map { .string("\($0.purpose) \($0.path)") }),
      "clients": .array(script.clients.map(Self.json)),
      "people": .array(script.people.map(Self.json)),
      "hostile": .array(script.hostile.names.map(JSONValue.string)),
      "console": .string(consoleLine),
    ]
  }

  private static func json(_ client: FakeClient) -> JSONValue {
    let members: [String: JSONValue] = [
      "id": .string(client.id), "name": .string(client.name), "secret": .optional(client.secret),
      "redirectURIs": .array(client.redirectURIs.map(JSONValue.string)),
    ]
    return .object(members.filter { $0.value != .null })
  }

  private static func json(_ person: FakePerson) -> JSONValue {
    let members: [String: JSONValue] = [
      "subject": .string(person.subject), "email": .optional(person.email),
      "emailVerified": person.emailVerified.map { .bool($0) } ?? .null,
      "name": .optional(person.name), "picture": .optional(person.picture),
      "claims": person.claims.isEmpty ? .null : .object(person.claims),
    ]
    return .object(members.filter { $0.value != .null })
  }

  private static func padded(_ name: String) -> String {
    name + String(repeating: " ", count: max(0, 10 - name.count))
  }

  /// A setting's value in Lua.
  private static func lua(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): lua(text)
    case .array(let elements): "{ \(elements.map(lua).joined(separator: ", ")) }"
    case .object(let members):
      "{ \(members.sorted { $0.key < $1.key }.map(entry).joined(separator: ", ")) }"
    default: value.text
    }
  }

  private static func entry(_ name: String, _ value: JSONValue) -> String {
    "[\(lua(name))] = \(lua(value))"
  }

  /// A text as a Lua string, with every character escaped that needs it.
  private static func lua(_ text: String) -> String {
    let characters = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.value < 32 || scalar.value == 127:
        "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }
    return "\"\(characters.joined())\""
  }
}
