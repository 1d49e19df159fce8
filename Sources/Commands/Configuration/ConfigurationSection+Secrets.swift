import AuthCore
import Foundation
import LuaRuntime
import Yams

extension ConfigurationSection {
  /// Reads a secret: the text of a file, written as `{ file: PATH }`, or a variable of the environment.
  ///
  /// A secret in the configuration itself is an error, because such files are copied, sent and committed.
  func secret(_ name: String, variables: [String] = []) -> Secret<String>? {
    if let node = member(name), let mapping = node.mapping, !isInEnvironment(name, variables) {
      return secret(name, in: mapping, at: node)
    }
    guard let raw = raw(name, variables: variables) else { return nil }
    guard raw.origin != .file else {
      tell(
        name, "is a secret, and is written in clear.",
        remedy: "Put it into a file of its own and write { file: PATH }, or set "
          + "\(variable(name)). Then choose another secret, for this one may be known.", at: raw)
      return nil
    }
    return unmasked(raw.text, name, raw)
  }

  /// Returns the secret, unless it is the placeholder that is shown in place of secrets.
  private func unmasked(_ text: String, _ name: String, _ raw: Raw) -> Secret<String>? {
    guard SecretPlaceholder.stands(in: text) || SecretPlaceholder.isPart(of: text) else {
      return Secret(text)
    }
    tell(
      name, "is a mask, which stands for a secret that is not shown.",
      remedy: "Give the secret itself.", at: raw)
    return nil
  }

  private func isInEnvironment(_ name: String, _ variables: [String]) -> Bool {
    ([variable(name)] + variables).contains { source.variable($0) != nil }
  }

  private func secret(
    _ name: String, in mapping: Node.Mapping, at node: Node
  ) -> Secret<String>? {
    guard mapping.count == 1, let path = mapping.first?.value.scalar?.string,
      mapping.first?.key.scalar?.string == "file"
    else {
      tell(name, "has to be { file: PATH }.", at: node)
      return nil
    }
    let full = path.hasPrefix("/") ? path : "\(source.folder)/\(path)"
    let raw = Raw(
      values: [full], origin: .file, place: place(node.mark?.line), line: node.mark?.line)
    guard let bytes = try? InputFile.bytes(of: full, atMost: 1 << 20),
      let text = try? InputText.text(of: bytes)
    else {
      tell(
        name, "is to be read from \(full), which cannot be read.",
        remedy: "Check the path and its permissions.", at: raw)
      return nil
    }
    let secret = text.trimmingCharacters(in: .newlines)
    guard !secret.isEmpty, !secret.contains(where: \.isNewline) else {
      tell(name, "is to be read from \(full), which is not one line.", at: raw)
      return nil
    }
    if SecretFile.isOpenToOthers(full) {
      warn(
        name, "is in \(full), which others can read.", remedy: "Run: chmod 600 \(full)", at: raw)
    }
    return unmasked(secret, name, raw)
  }
}
