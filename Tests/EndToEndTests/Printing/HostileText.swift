import Foundation
import TestSupport

/// Text that would steer a terminal, hide on it, or forge its output.
enum HostileText {
  /// One text of each kind, with a forged line at its end.
  static let text =
    "\u{1B}]0;PWNED\u{7}\u{1B}[2J\u{1B}[35mroot\u{202E}gnp\u{2066}a\u{200B}b\u{2028}c\u{2029}d\u{AD}e"
    + "\u{9B}31m\u{7F}\u{8}f\u{E0041}g\u{FEFF}h\u{115F}\u{3164}i\u{200E}\u{61C}j\u{E000}\u{85}k\r\nforged"

  /// The same text without control characters, for fields that refuse them.
  static let quiet = String(
    text.unicodeScalars.filter { $0.properties.generalCategory != .control }
      .map(Character.init))

  /// Returns the reason why output would harm a terminal; nil if it is harmless.
  static func harm(in shown: String, allowing codes: Set<String> = []) -> String? {
    var rest = shown
    for code in codes { rest = rest.replacing("\u{1B}[\(code)m", with: "") }
    for scalar in rest.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control where scalar == "\n" || scalar == "\t": continue
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
        .surrogate:
        return "U+\(String(scalar.value, radix: 16, uppercase: true))"
      default:
        if scalar.properties.isDefaultIgnorableCodePoint {
          return "U+\(String(scalar.value, radix: 16, uppercase: true))"
        }
      }
    }
    return nil
  }

  /// Makes an account whose texts are all hostile, with an event and a factor, and another to merge it with.
  static func fill(_ folder: TemporaryFolder) throws {
    func quoted(_ text: String) -> String {
      let data = try? JSONSerialization.data(withJSONObject: [text])
      return String(decoding: data ?? Data(), as: UTF8.self).dropFirst().dropLast().description
    }
    let (text, quiet) = (quoted(text), quoted(quiet))
    let claims = quoted("{\(quoted("key" + Self.text)):\(quoted(Self.text))}")
    let file = try folder.write(
      "hostile.json",
      """
      {"users": [
      {"localId":"linus","hasFactorsWithoutEmail":true,"displayName":\(text),"photoUrl":\(quiet),"customAttributes":\(claims),\
      "phoneNumber":"+16505550101","providerUserInfo":[{"providerId":"github.com","rawId":\(quiet),\
      "displayName":\(text),"screenName":\(text),"photoUrl":\(quiet)}],"mfaInfo":[{"mfaEnrollmentId":"sms",\
      "displayName":\(text),"phoneInfo":"+16505550102"}]},
      {"localId":"bare","displayName":\(text)}
      ]}
      """)
    let outcome = try Program.run(["import", file], in: folder)
    guard outcome.output.hasPrefix("2 imported, 0 refused") else {
      throw Failed(description: outcome.output + outcome.errors)
    }
    try folder.lua(
      """
      name = accounts.get('linus').displayName
      accounts.get('linus'):update { disabled = true, reason = name }
      accounts.get('linus'):update { disabled = false, reason = name }
      """)
  }
}
