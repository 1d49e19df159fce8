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
    let client = script.clients.first ?? .idp
    var settings = ["clientID = \(Self.lua(client.id))"]
    if let secret = client.secret { settings.append("clientSecret = \(Self.lua(secret))") }
    var provider = "oidc.idp"
    if let vendor = script.vendor {
      provider = vendor.id
      settings += vendor.settings.sorted { $0.key < $1.key }.map { "\($0) = \(Self.lua($1))" }
      let servers = vendor.hosts.map { "[\(Self.lua($0))] = \(Self.lua(address))" }
      settings.append("servers = { \(servers.joined(separator: ", ")) }")
    } else if let issuer = script.issuer {
      provider = "ID"
      let played = URLText.host(of: issuer) ?? issuer
      settings.append("servers = { [\(Self.lua(played))] = \(Self.lua(address)) }")
    } else {
      settings.insert("issuer = \(Self.lua(issuer))", at: 0)
    }
    settings.append("privateHosts = { \(Self.lua(host)) }")
    return "providers.configure(\"\(provider)\", { \(settings.joined(separator: ", ")) })"
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
