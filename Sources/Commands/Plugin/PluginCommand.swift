import ArgumentParser

/// `authgraph plugin`: tools for authors of provider plug-ins.
struct PluginCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugin",
    abstract: "Write, check, test and describe provider plug-ins.",
    discussion: """
      A plug-in is one Lua file that ends with return provider { … }; its fixture is the JSON file beside it. \
      None of these commands opens a store, and only record and install use the network.
      """,
    subcommands: [
      PluginNewCommand.self, PluginCheckCommand.self, PluginTestCommand.self,
      PluginRecordCommand.self, PluginListCommand.self, PluginDocsCommand.self,
      PluginPackCommand.self, PluginKeygenCommand.self, PluginSignCommand.self,
      PluginInstallCommand.self,
    ])
}
