/// The texts that stand for a secret where it is not shown; none of them is ever kept as one.
///
/// An admin who reads a configuration, changes a part and writes it back gives the placeholder of each secret back. It
/// then means the secret that is kept for the same setting, and is refused if there is none.
public enum SecretPlaceholder {
  /// The text that is shown for every secret.
  public static let text = "•••"
  /// The text that is shown for the hash of a password, as Firebase has it: base64 of `REDACTED`.
  public static let hash = "UkVEQUNURUQ="

  /// The characters that masks are made of, here and elsewhere.
  private static let marks: Set<Character> = [
    "•", "●", "∙", "·", "⋅", "*", "＊", "✱", "…", ".", "█", "▪", "■",
  ]
  /// The marks that no secret has.
  private static let certain: Set<Character> = ["•", "●", "█", "■", "…"]
  /// What other tools write in brackets.
  private static let words: Set<String> = ["redacted", "hidden", "masked", "secret", "sensitive"]

  /// Whether a text stands for a secret: only marks and blanks, or a word such as `[redacted]`.
  ///
  /// An empty text does not.
  public static func stands(in text: String) -> Bool {
    let letters = text.filter { !$0.isWhitespace }
    guard !letters.isEmpty else { return false }
    if letters.allSatisfy(marks.contains) { return true }
    if letters.trimmingSuffix("=") == hash.trimmingSuffix("=") || letters == "REDACTED" {
      return true
    }
    guard let first = letters.first, let last = letters.last, letters.count > 2,
      ["[": "]", "<": ">", "(": ")", "{": "}"][first] == last
    else { return false }
    return words.contains(letters.dropFirst().dropLast().lowercased())
  }

  /// Whether a text is partly masked, such as `GOCSPX-•••`.
  public static func isPart(of text: String) -> Bool {
    !stands(in: text) && text.contains(where: certain.contains)
  }

  /// Refuses a secret that is masked, wholly or in part.
  ///
  /// - Parameters:
  ///   - text: the secret as it was given.
  ///   - field: the setting that it is for.
  ///   - title: what the message calls the setting.
  /// - Throws: `invalid-argument` naming the field.
  public static func refuse(
    in text: String, field: String, title: String? = nil
  ) throws(AuthError) {
    guard stands(in: text) || isPart(of: text) else { return }
    let isWhole = stands(in: text)
    throw AuthError(
      .invalidArgument,
      isWhole
        ? "\(title ?? field) is a mask, which stands for a secret that is not shown."
        : "\(title ?? field) is masked in part.", field: field,
      remedy: "Give the secret itself, or leave \(field) out.")
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: Character) -> Substring {
    var rest = self[...]
    while rest.last == suffix { rest.removeLast() }
    return rest
  }
}
