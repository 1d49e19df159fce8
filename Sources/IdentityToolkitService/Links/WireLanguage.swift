/// The language that a client named, in the form that a link carries.
struct WireLanguage: Sendable, Hashable {
  /// A language tag (RFC 5646), such as `pt-BR`; `en` if the client named none.
  let tag: String

  /// Reads `X-Firebase-Locale`, or the first language of an `Accept-Language` header.
  init(_ text: String?) {
    let first = (text ?? "").split(whereSeparator: { ",; ".contains($0) }).first.map(String.init)
    let tag = (first ?? "").replacing("_", with: "-")
    let isTag =
      (2...35).contains(tag.utf8.count) && tag.first != "-"
      && tag.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
        default: false
        }
      }
    self.tag = isTag ? tag : "en"
  }
}
