extension PluginWord {
  /// The words about the file itself, and the one that shares code between files.
  static let contract = [
    PluginWord(
      .declaration, "api", forms: ["api = 1"],
      "The version of this language that the file is written in; without it, 1. A file for a newer one is refused, and "
        + "the error says so instead of naming an unknown field."),
    PluginWord(
      .declaration, "requires",
      forms: [
        "requires = \"authgraph >= 1.0\"", "requires = \"authgraph >= 1.2, authgraph < 2.0\"",
      ],
      "The versions of authgraph with which the file works. The comparisons are >=, >, <=, < and =, by the rules of "
        + "Semantic Versioning. Another program refuses the file."),
    PluginWord(
      .declaration, "version", forms: ["version = \"1.2.0\""],
      "The release of the file, by Semantic Versioning. plugin pack needs it. plugins.list() shows it as release, "
        + "because version is the digest of the text there."),
    PluginWord(
      .declaration, "author", forms: ["author = \"Example Ltd <plugins@example.com>\""],
      "The author of the file, in one line of at most 200 bytes."),
    PluginWord(
      .declaration, "license", forms: ["license = \"Apache-2.0\""],
      "The licence of the file, as an SPDX expression."),
    PluginWord(
      .declaration, "icon",
      forms: ["icon = \"https://example.com/icon.png\"", "icon = \"icon.png\""],
      "The picture of the provider: an https address, a data address, or the name of a file beside the plug-in, which "
        + "plugin pack adds. PNG, JPEG, WebP or GIF of at most 32 KiB; SVG is refused, because it can hold scripts."
    ),
    PluginWord(
      .declaration, "include",
      forms: ["local names = include \"shared/names.lua\""],
      "Runs a module in the plug-in's sandbox, and returns what it returns. Modules are files in the folder shared "
        + "beside the plug-in, up to 19, each named as a text between quotes; they may include others, from shared/ "
        + "too. A changed module replaces the plug-ins that include it."),
  ]
}
