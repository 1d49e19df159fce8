public import AuthCore
import Foundation

extension IdentityScript {
  /// Reads a script.
  ///
  /// Throws `invalid-argument` with the place in the script as the field, and with the most similar name for a
  /// misspelled one.
  ///
  /// - `text`: JSON.
  /// - `source`: The script's name in errors, such as the name of its file.
  public init(text: String, source: String = "the script") throws(AuthError) {
    let script = ScriptReader(
      value: try Self.json(text, source: source), place: "", source: source)
    try script.check(
      members: ["algorithm", "requiresPKCE", "issuer", "people", "clients", "hostile", "routes"])
    try readProtocol(script)
    if let list = script["people"] {
      people = try list.several(identified: \.subject) { reader throws(AuthError) in
        try FakePerson(reader)
      }
    }
    if let list = script["clients"] {
      clients = try list.several(identified: \.id) { reader throws(AuthError) in
        try FakeClient(reader)
      }
    }
    if let list = script["routes"] {
      let claims = people.flatMap { $0.claims.keys }
      routes = try list.members().map { member throws(AuthError) in
        try ScriptedRoute(member.name, member.reader, claims: claims)
      }
    }
  }

  private mutating func readProtocol(_ script: ScriptReader) throws(AuthError) {
    if let reader = script["algorithm"] {
      let name = try reader.text()
      guard let algorithm = SigningKey.algorithms.first(where: { $0.rawValue == name }) else {
        throw reader.refusal(
          "is \"\(name)\".",
          remedy: suggestion(
            for: name.uppercased(), among: SigningKey.algorithms.map(\.rawValue)))
      }
      self.algorithm = algorithm
    }
    if let reader = script["requiresPKCE"] { requiresPKCE = try reader.flag() }
    if let reader = script["issuer"] { issuer = try Self.issuer(reader) }
    if let list = script["hostile"] {
      let names = try list.elements().map { reader throws(AuthError) in try reader.text() }
      do throws(AuthError) {
        hostile = try HostileSet(names: names)
      } catch {
        throw AuthError(
          error.code, "\(list.source): hostile: \(error.message)", field: error.field,
          remedy: error.remedy)
      }
    }
  }

  /// OpenID Connect Core 2: an issuer has neither query nor fragment.
  private static func issuer(_ reader: ScriptReader) throws(AuthError) -> String {
    let text = try reader.text()
    guard let parts = URLComponents(string: text),
      parts.scheme == "https" || parts.scheme == "http",
      parts.host?.isEmpty == false, parts.query == nil, parts.fragment == nil
    else {
      throw reader.refusal(
        "is no address of an issuer.", remedy: "Write it as https://id.vendor.example.")
    }
    return text
  }

  private static func json(_ text: String, source: String) throws(AuthError) -> JSONValue {
    do {
      return try JSONValue(text: text)
    } catch {
      throw AuthError(
        .invalidArgument, "\(source) is no JSON.\(Self.place(ofMistakeIn: text))", field: "script",
        remedy: "See authgraph idp --example for a valid script.")
    }
  }

  /// The line of the first JSON error, if Foundation reports one.
  private static func place(ofMistakeIn text: String) -> String {
    do {
      _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
      return ""
    } catch {
      let words = (error as NSError).userInfo["NSDebugDescription"] as? String ?? ""
      if let match = words.firstMatch(of: /character (\d+)/), let offset = Int(match.output.1) {
        let lines = text.utf8.prefix(offset).count { $0 == UInt8(ascii: "\n") }
        return " The mistake is in line \(lines + 1)."
      }
      return words.contains("end of file") ? " It ends too early." : ""
    }
  }
}

extension ScriptReader {
  /// Reads a list of at least one element, with distinct names.
  fileprivate func several<Value>(
    identified name: (Value) -> String, _ read: (ScriptReader) throws(AuthError) -> Value
  ) throws(AuthError) -> [Value] {
    var values: [Value] = []
    for reader in try elements() {
      let value = try read(reader)
      guard !values.contains(where: { name($0) == name(value) }) else {
        throw reader.refusal(
          "is the second \"\(name(value))\".", remedy: "Give each a name of its own.")
      }
      values.append(value)
    }
    guard !values.isEmpty else {
      throw refusal("is empty.", remedy: "Name at least one, or leave the field out.")
    }
    return values
  }
}

extension FakePerson {
  fileprivate init(_ reader: ScriptReader) throws(AuthError) {
    try reader.check(
      members: ["subject", "email", "emailVerified", "name", "picture", "claims"])
    let email = try reader.text("email")
    let emailVerified = try reader["emailVerified"]?.flag()
    if emailVerified != nil, email == nil {
      throw reader.refusal(
        "has emailVerified and no email.", remedy: "Add the email, or leave emailVerified out.")
    }
    self.init(
      subject: try reader.required("subject"), email: email, emailVerified: emailVerified,
      name: try reader.text("name"), picture: try reader.text("picture"),
      claims: try reader["claims"]?.object() ?? [:])
  }
}

extension FakeClient {
  fileprivate init(_ reader: ScriptReader) throws(AuthError) {
    try reader.check(members: ["id", "secret", "redirectURIs", "name"])
    let id = try reader.required("id")
    let addresses = try reader["redirectURIs"]?.elements() ?? []
    self.init(
      id: id, secret: try reader.text("secret"),
      redirectURIs: try addresses.map { address throws(AuthError) in
        let text = try address.text()
        guard URLComponents(string: text)?.scheme != nil else {
          throw address.refusal(
            "is no URL.", remedy: "Write the whole address, as https://app.example/back.")
        }
        return text
      }, name: try reader.text("name") ?? id)
  }
}
