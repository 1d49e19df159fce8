import AuthCore
import AuthTesting
import Foundation

@testable import IdentityToolkitService

/// A generator of requests that are nearly valid, invalid, or nonsense.
///
/// The same seed makes the same ones.
///
/// It uses the tokens, codes, uids and addresses of answers again, so that requests pass the first checks.
struct RequestFuzzer {
  struct Shot: Sendable {
    var method: String
    var path: String
    var headers: [String: String]
    var body: [UInt8]?
  }

  private var random: SeededGenerator
  private let routes: [Route]
  private let mode: ServerMode
  private let adminToken: String
  /// The texts of earlier answers, by field name.
  private var harvest: [String: [String]] = [:]

  init(seed: UInt64, mode: ServerMode, adminToken: String) {
    random = SeededGenerator(seed: seed)
    self.mode = mode
    self.adminToken = adminToken
    routes = Route.all.filter { $0.modes.contains(mode) }
  }

  mutating func next() -> Shot {
    guard let route = routes.randomElement(using: &random) else {
      return Shot(method: "GET", path: "/", headers: [:], body: nil)
    }
    var shot = Shot(method: route.method.rawValue, path: path(of: route), headers: [:], body: nil)
    authorize(&shot, route)
    if route.method != .get {
      shot.headers["Content-Type"] = chance(40) ? pick(Self.contentTypes) : "application/json"
      let fields = route.fields.map { $0.names.sorted() } ?? Self.fieldNames
      shot.body = body(fields)
    } else if chance(3) {
      shot.path += (shot.path.contains("?") ? "&" : "?") + query()
    }
    return shot
  }

  /// Keeps an answer's values, to be sent again.
  mutating func take(_ answer: JSONValue, under name: String = "") {
    switch answer {
    case .object(let members):
      for (name, value) in members { take(value, under: name) }
    case .array(let values):
      for value in values.prefix(4) { take(value, under: name) }
    case .string(let text) where Self.harvested.contains(name) && text.utf8.count < 4096:
      var known = harvest[Self.fieldOfMember[name] ?? name] ?? []
      known.append(text)
      harvest[Self.fieldOfMember[name] ?? name] = Array(known.suffix(16))
    default: break
    }
  }

  // MARK: Parts

  private mutating func path(of route: Route) -> String {
    var path = route.pattern
    while let start = path.firstIndex(of: "{"), let end = path[start...].firstIndex(of: "}") {
      let name = String(path[path.index(after: start)..<end])
      path.replaceSubrange(start...end, with: pathValue(name))
    }
    if !route.service.rawValue.isEmpty, chance(2) { path = "/\(route.service.rawValue)\(path)" }
    if chance(60) { path = mutated(path) }
    return path
  }

  private mutating func pathValue(_ name: String) -> String {
    let value =
      switch name {
      case "project": chance(12) ? pick(["other", "12345", ""]) : ServerHome.project
      case "tenant": harvest["tenantId"]?.randomElement(using: &random) ?? "tenant-\(number(3))"
      default: harvest["localId"]?.randomElement(using: &random) ?? pick(Self.words)
      }
    return value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "x"
  }

  private mutating func authorize(_ shot: inout Shot, _ route: Route) {
    switch number(10) {
    case 0: break
    case 1: shot.headers["Authorization"] = "Bearer \(pick(["", "nonsense", "ya29.x", "OWNER"]))"
    case 2...5:
      shot.headers["Authorization"] = "Bearer \(mode == .emulator ? "owner" : adminToken)"
    default: shot.path += "?key=\(chance(20) ? "" : "test-key")"
    }
  }

  private mutating func query() -> String {
    let names = [
      "maxResults", "nextPageToken", "pageSize", "updateMask", "oobCode", "mode", "tenantId",
      "continueUrl", "state", "code", "providerId", "apiKey", "by",
    ]
    return
      "\(pick(names))=\(text().addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
  }

  private mutating func body(_ fields: [String]) -> [UInt8]? {
    if chance(80) { return nil }
    var members: [String: JSONValue] = [:]
    for _ in 0..<number(7) {
      guard let name = fields.randomElement(using: &random) else { continue }
      members[chance(15) ? Self.snakeCase(name) : name] = value(of: name, depth: 0)
    }
    var bytes = Array(JSONValue.object(members).text.utf8)
    if chance(25) { bytes = mutated(bytes) }
    return bytes
  }

  /// Returns a valid value of the field, or one of any type.
  private mutating func value(of name: String, depth: Int) -> JSONValue {
    if chance(12) { return anything(depth: depth) }
    if let known = harvest[name], !known.isEmpty, chance(2),
      let text = known.randomElement(using: &random)
    {
      return ["localId", "localIds", "email"].contains(name) && Self.lists.contains(name)
        ? .array([.string(text)]) : .string(text)
    }
    switch name {
    case "email", "identifier", "newEmail":
      return .string("\(pick(Self.people))@\(pick(["example.com", "Example.COM", "beispiel.de"]))")
    case "password", "newPassword": return .string(pick(["secret1", "short", "Correct horse 1"]))
    case "phoneNumber": return .string("+1555000\(1000 + number(20))")
    case "requestUri", "continueUri", "continueUrl": return .string("http://localhost/x?y=1")
    case "postBody":
      return .string(
        "id_token={\"sub\":\"\(number(20))\",\"email\":\"\(pick(Self.people))@example.com\","
          + "\"email_verified\":\(chance(2))}&providerId=\(pick(["google.com", "github.com", "saml.x"]))"
      )
    case "requestType":
      return chance(3) ? .integer(Int64(number(9))) : .string(pick(Self.requestTypes))
    case "grantType": return "refresh_token"
    case "returnSecureToken", "returnIdpCredential", "returnOobLink", "emailVerified",
      "disableUser":
      return .bool(chance(2))
    case "token": return .string("{\"uid\":\"\(pick(Self.people))\",\"claims\":{\"a\":1}}")
    case "deleteProvider": return .array([.string(pick(["google.com", "password", "phone"]))])
    case "deleteAttribute": return .array([.string(pick(["EMAIL", "PASSWORD", "DISPLAY_NAME"]))])
    case "customAttributes": return .string("{\"role\":\"\(pick(Self.people))\"}")
    case "linkProviderUserInfo":
      return ["providerId": "github.com", "rawId": .string("\(number(20))")]
    case "phoneEnrollmentInfo", "phoneSignInInfo":
      return ["phoneNumber": .string("+1555000\(1000 + number(20))")]
    case "phoneVerificationInfo":
      return [
        "sessionInfo": value(of: "sessionInfo", depth: depth + 1),
        "code": value(of: "code", depth: depth + 1),
      ]
    case "users":
      return .array([
        ["localId": .string("user-\(number(30))"), "email": value(of: "email", depth: depth + 1)]
      ])
    case "localId", "localIds": return .array([.string("user-\(number(30))")])
    default: return chance(3) ? anything(depth: depth) : .string(text())
    }
  }

  private mutating func anything(depth: Int) -> JSONValue {
    switch number(depth > 3 ? 6 : 9) {
    case 0: return .null
    case 1: return .bool(chance(2))
    case 2: return .integer(pick([0, -1, 1, .max, .min, 4_294_967_296]))
    case 3: return .number(pick([0.5, -1e300, 1e18]))
    case 4, 5: return .string(text())
    case 6: return .array((0..<number(4)).map { _ in anything(depth: depth + 1) })
    default:
      var members: [String: JSONValue] = [:]
      for _ in 0..<number(4) { members[pick(Self.fieldNames)] = anything(depth: depth + 1) }
      return .object(members)
    }
  }

  private mutating func text() -> String {
    switch number(8) {
    case 0: return ""
    case 1: return pick(Self.words)
    case 2: return String(repeating: "a", count: number(3000))
    case 3: return pick(["\u{0}", "\u{202E}", "İı", "K", "e\u{301}", "👩‍👩‍👧", "\"\\\n", "../../etc"])
    case 4: return String(decoding: (0..<number(20)).map { _ in UInt8(number(256)) }, as: UTF8.self)
    default: return harvest.values.randomElement(using: &random)?.first ?? pick(Self.words)
    }
  }

  private mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<(1 + number(4)) {
      guard !bytes.isEmpty else { return bytes }
      let place = number(bytes.count)
      switch number(4) {
      case 0: bytes[place] = UInt8(number(256))
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(contentsOf: bytes.prefix(number(16)), at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }

  /// Returns a mutated path that stays ASCII, as a client would send it.
  private mutating func mutated(_ path: String) -> String {
    let bytes = mutated(Array(path.utf8)).filter { (0x21...0x7E).contains($0) && $0 != 0x23 }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasPrefix("/") ? text : "/\(text)"
  }

  private mutating func number(_ limit: Int) -> Int {
    Int.random(in: 0..<max(1, limit), using: &random)
  }

  /// Returns true once in `odds` times.
  private mutating func chance(_ odds: Int) -> Bool { number(odds) == 0 }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[number(values.count)]
  }

  private static func snakeCase(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
  }

  // MARK: Words

  private static let people = ["ada", "grace", "Ada", "edsger", "tony", "barbara"]
  private static let words = ["x", "0", "null", "true", "{}", "[]", "google.com", "PASSWORD_RESET"]
  private static let contentTypes = [
    "application/x-www-form-urlencoded", "text/plain", "application/json; charset=utf-16", "",
  ]
  private static let requestTypes = [
    "PASSWORD_RESET", "VERIFY_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL", "RECOVER_EMAIL",
  ]
  private static let lists: Set = ["localId", "localIds"]
  private static let harvested: Set = [
    "idToken", "refreshToken", "id_token", "refresh_token", "localId", "oobCode", "sessionInfo",
    "code", "mfaPendingCredential", "mfaEnrollmentId", "temporaryProof", "phoneNumber", "email",
    "tenantId", "sessionId", "sessionCookie", "pendingToken", "rawId", "nextPageToken",
  ]
  private static let fieldOfMember = ["id_token": "idToken", "refresh_token": "refreshToken"]
  static let fieldNames = [
    "idToken", "refreshToken", "grantType", "localId", "email", "password", "displayName",
    "photoUrl", "phoneNumber", "emailVerified", "oobCode", "newPassword", "newEmail",
    "requestType", "continueUrl", "returnOobLink", "sessionInfo", "code", "temporaryProof",
    "mfaPendingCredential", "mfaEnrollmentId", "phoneEnrollmentInfo", "phoneVerificationInfo",
    "phoneSignInInfo", "totpVerificationInfo", "totpEnrollmentInfo", "mfa", "mfaInfo",
    "requestUri", "postBody", "returnIdpCredential", "autoCreate", "token", "returnSecureToken",
    "deleteProvider", "deleteAttribute", "linkProviderUserInfo", "customAttributes",
    "disableUser", "validSince", "createdAt", "lastLoginAt", "users", "localIds", "force",
    "hashAlgorithm", "rounds", "memoryCost", "signerKey", "allowOverwrite", "sanityCheck",
    "validDuration", "identifier", "continueUri", "providerId", "sessionId", "tenantId",
    "targetProjectId", "expression", "limit", "offset", "federatedUserId", "operation",
  ]
}
