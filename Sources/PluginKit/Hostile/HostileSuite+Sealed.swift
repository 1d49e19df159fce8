import AuthCore
import Foundation

extension HostileSuite {
  /// The subject is in no answer: either it was never read, or it is inside of a credential that the vendor sealed.
  ///
  /// A sealed credential is accepted without asking a vendor, refuses every change, and holds the subject in a
  /// readable form unless every field is sealed. A fixture that describes the seal has places to change instead.
  static func unread(_ scene: Scene) async throws -> [HostileCase] {
    let name = "the vendor names another person"
    guard scene.log.asked.isEmpty else {
      return [
        HostileCase(
          .subject, name,
          failure: "the subject stays \(scene.subject) whatever the vendor answers; it has to be "
            + "read from the answer.")
      ]
    }
    guard scene.runner.template.seals.isEmpty else { return try await unsealed(scene, name) }
    var sealed: [String] = []
    var open: [String] = []
    let fields = scene.rehearsal.credential.filter { !$0.value.isEmpty }.keys.sorted()
    for field in fields {
      var isRefused = true
      for changed in scene.changes(of: field) {
        isRefused = try await scene.runner.run(changed).identity == nil && isRefused
      }
      if isRefused { sealed.append(field) } else { open.append(field) }
    }
    let holdsSubject = sealed.contains {
      scene.rehearsal.credential[$0]?.isReadable(scene.subject) == true
    }
    guard !sealed.isEmpty, open.isEmpty || holdsSubject else {
      let why = open.isEmpty ? "" : ", and \(open.joined(separator: " and ")) can be changed"
      return [
        HostileCase(
          .subject, name,
          failure: "the subject stays \(scene.subject) whatever the credential holds\(why). If it "
            + "is in a signed part, describe that part in the fixture with payload and hmac.")
      ]
    }
    return sealed.flatMap { field in
      scene.changes(of: field).enumerated().map { index, changed in
        let part = index == 0 ? "beginning" : "end"
        return HostileCase(
          .subject, "the sealed \(field) is changed at its \(part)", changed,
          judge: scene.mustRefuse)
      }
    }
  }
}

extension HostileSuite {
  /// The fixture describes the seal, so another person in a signed part has to become another identity.
  private static func unsealed(_ scene: Scene, _ name: String) async throws -> [HostileCase] {
    for leaf in scene.sealedParts where leaf.text?.isEmpty == false {
      let other = scene.rehearsal(with: leaf.otherIdentifier, at: leaf)
      let key = try await scene.runner.run(other).identity?.key
      if let key, key != scene.identity.key {
        return [
          HostileCase(
            .subject, scene.title(of: leaf, becoming: nil), scene.rehearsal(with: nil, at: leaf),
            judge: scene.mustRefuse)
        ]
      }
    }
    return [
      HostileCase(
        .subject, name,
        failure: "the subject stays \(scene.subject) whatever the vendor signs; it has to be read "
          + "from the signed part.")
    ]
  }
}

extension Scene {
  /// The credential with a field that is changed at its beginning, and at its end.
  fileprivate func changes(of field: String) -> [Rehearsal] {
    let text = rehearsal.credential[field] ?? ""
    let half = text.count / 2
    let (head, tail) = (String(text.prefix(half)), String(text.dropFirst(half)))
    let texts: [String] = [head.otherIdentifier + tail, head + tail.otherIdentifier]
    return texts.filter { $0 != text }.map { changed in
      var rehearsal = rehearsal
      rehearsal.credential[field] = changed
      rehearsal.refusesUnknown = true
      return rehearsal
    }
  }
}

extension String {
  /// Tells whether a text is in this one, in a part of it in base64, or escaped for a URL.
  fileprivate func isReadable(_ text: String) -> Bool {
    for part in matches(of: /[A-Za-z0-9+\/_\-]+=*/) {
      guard let bytes = Base64.bytes(ofEither: String(part.output)) else { continue }
      let decoded = String(decoding: bytes, as: UTF8.self)
      if decoded.contains(text) || decoded.removingPercentEncoding?.contains(text) == true {
        return true
      }
    }
    return contains(text)
  }
}
