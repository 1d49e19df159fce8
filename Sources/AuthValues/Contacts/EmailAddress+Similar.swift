import Foundation

extension EmailAddress {
  /// The form that similar addresses share: without case and accents, in the local part and in the domain.
  ///
  /// It finds addresses that one person may have given twice. It is no proof that they are one mailbox, so nothing is
  /// linked by it. An address of ASCII letters equals its canonical form.
  public var similar: String {
    guard let at = canonical.utf8.lastIndex(of: UInt8(ascii: "@")) else { return canonical }
    let given = text.utf8.lastIndex(of: UInt8(ascii: "@")) ?? text.startIndex
    let domain = Self.folded(String(text[given...].dropFirst()))
    let local = Self.folded(String(canonical[..<at]))
    // A domain of another script stays in the ASCII form, which has one spelling.
    let isASCII = !domain.isEmpty && domain.utf8.allSatisfy { $0 < 0x80 }
    return "\(local)@\(isASCII ? domain : self.domain)"
  }

  /// Removes compatibility forms (NFKC), accents and case, by Unicode's full case folding.
  private static func folded(_ text: String) -> String {
    // The capitals of a letter may be several (ß), and each has one small letter: ς and σ give Σ, and then σ.
    let capitals = withoutMarks(text).unicodeScalars.map(\.properties.uppercaseMapping).joined()
    let small = capitals.unicodeScalars.map(\.properties.lowercaseMapping).joined()
    return withoutMarks(small).precomposedStringWithCompatibilityMapping
  }

  private static func withoutMarks(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars
    where scalar.properties.generalCategory != .nonspacingMark {
      scalars.append(scalar)
    }
    return String(scalars)
  }
}
