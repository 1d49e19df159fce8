import LuaPlugins

extension PluginTestCommand {
  /// Prints the warning of the check for a file whose name is not its provider's ID.
  func showOtherName(of file: String) throws {
    guard let source = try? PluginSource(path: file),
      let finding = PluginCheck.findings(in: source).first(where: { $0.code == "other-id" })
    else { return }
    try StandardStreams.print(line: "  warning \(finding.message) \(finding.remedy)")
  }
}
