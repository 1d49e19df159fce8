/// Placeholder texts that stand for a hidden secret; none of them is ever stored as one.
///
/// An admin who reads a configuration, changes a part and writes it back also writes the placeholders back. A
/// placeholder then means the stored secret of the same setting, and is refused if there is none.
public enum SecretPlaceholder {
  /// The placeholder of every secret.
  public static let text = "•••"
  /// The placeholder of a password's hash, as in Firebase: base64 of `REDACTED`.
  public static let hash = "UkVEQUNURUQ="

  /// The characters of masks, here and in other tools.
  private static let marks: Set<Character> = [
    "•", "●", "∙", "·", "⋅", "*", "＊", "✱", "…", ".", "█", "▪", "■",
  ]
  /// The marks that never occur in a secret.
  private static let certain: Set<Character> = ["•", "●", "█", "■", "…"]
  /// The words that other tools put in brackets.
  private static let words: Set<String> = ["redacted", "hidden", "masked", "secret", "sensitive"]

  /// Tells whether a text is a placeholder: only marks and blanks, or a word such as `[redacted]`.
  ///
  /// An empty text is not one.
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

  /// Tells whether a text is partly masked, such as `GOCSPX-•••`.
  public static func isPart(of text: String) -> Bool {
    !stands(in: text) && text.contains(where: certain.contains)
  }

  /// Throws if a secret is masked, wholly or in part.
  ///
  /// - Parameters:
  ///   - text: the secret as it was given.
  ///   - field: the setting that it is for.
  ///   - title: the setting's name in the message; the field if nil.
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
