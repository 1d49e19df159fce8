import LuaPlugins

extension HelpTopic {
  /// Provider plug-ins.
  static let plugins: [HelpTopic] = [
    HelpTopic(
      "plugins.list", takes: "", ["plugins.list()"],
      "Lists the loaded provider plug-ins with their versions, and the files that cannot be loaded.\n"
        + "The version is that of the text; release, author, license and requires are the file's own words.\n"
        + "help \"plug-in language\" lists the words of a plug-in file."),
    HelpTopic(
      "plugins.reload", takes: "providerID",
      ["plugins.reload \"discord.com\"", "plugins.reload()"],
      "Loads the new text of one file, or of all. A sign-in that has begun continues with the old text.\n"
        + "A text that cannot be loaded is refused with its line, and the old one stays. Changed files\n"
        + "are also reloaded before each input."),
    HelpTopic(
      "plugins.load", takes: "file", ["plugins.load \"acme.lua\""],
      "Loads a file from any folder, for this session."
    ),
  ]

  /// The words of a plug-in file, which do not exist in the console.
  static let language = PluginWord.all.map { word in
    HelpTopic(word.name, word.forms, "In a plug-in file. " + word.about)
  }
}
