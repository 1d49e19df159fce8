import AuthCore
import LuaRuntime

extension PluginDeclaration {
  static let metadataFields = ["version", "author", "license", "icon", "requires", "api"]

  private static let longestAuthor = 200

  /// Reads the facts about the file.
  ///
  /// It comes before every other field, so that a file for a newer program is not reported as a misspelling.
  static func metadata(_ reader: DeclarationReader) throws -> PluginMetadata {
    var metadata = PluginMetadata()
    metadata.api = try reader.number("api")
    if metadata.api == 0 {
      throw reader.mistake("api", "there is no api 0", remedy: "Write api = \(PluginContract.api).")
    }
    metadata.requires = try requires(reader)
    if let misfit = PluginContract.misfit(api: metadata.api ?? 1, requires: metadata.requires) {
      throw reader.mistake(misfit.field, misfit.message, remedy: misfit.remedy)
    }
    metadata.version = try version(reader)
    metadata.author = try author(reader)
    metadata.license = try license(reader)
    metadata.icon = try icon(reader)
    return metadata
  }

  private static func requires(_ reader: DeclarationReader) throws -> String? {
    guard let text = try reader.text("requires") else { return nil }
    guard PluginContract.Requirement.all(in: text) != nil else {
      throw reader.mistake(
        "requires", "\"\(text)\" is no condition on authgraph",
        remedy: "Write requires = \"authgraph >= 1.0\"; commas separate several conditions.")
    }
    return text
  }

  private static func version(_ reader: DeclarationReader) throws -> SemanticVersion? {
    guard let text = try reader.text("version") else { return nil }
    guard let version = SemanticVersion(text) else {
      throw reader.mistake(
        "version", "\"\(text)\" is no version of Semantic Versioning",
        remedy: "Write three numbers, as in version = \"1.2.0\".")
    }
    return version
  }

  private static func author(_ reader: DeclarationReader) throws -> String? {
    guard let text = try reader.text("author") else { return nil }
    guard text.utf8.count <= longestAuthor,
      !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else {
      throw reader.mistake(
        "author", "author has more than one line or \(longestAuthor) bytes",
        remedy: "Write a name, or a name and an address.")
    }
    return text
  }

  private static func license(_ reader: DeclarationReader) throws -> String? {
    guard let text = try reader.text("license") else { return nil }
    guard LicenseExpression.isOne(text) else {
      throw reader.mistake(
        "license", "\"\(text)\" is no SPDX licence expression",
        remedy: "Write an identifier of spdx.org/licenses, as in license = \"Apache-2.0\".")
    }
    return text
  }

  private static func icon(_ reader: DeclarationReader) throws -> PluginIcon? {
    guard reader.has("icon") else { return nil }
    guard let text = reader.table["icon"].stringValue, let icon = PluginIcon(text) else {
      throw reader.mistake(
        "icon", "the icon is no picture of at most \(PluginIcon.mostBytes / 1024) KiB",
        remedy:
          "Write an https address, a data address of a PNG, JPEG, WebP or GIF, or the name of such a file beside "
          + "the plug-in.")
    }
    return icon
  }
}
