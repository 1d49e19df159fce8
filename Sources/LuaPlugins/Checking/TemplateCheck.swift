/// Finds the made-up vendor of `plugin new` in a file whose author has yet to name the real one.
enum TemplateCheck {
  static func findings(_ text: PluginText) -> [PluginFinding] {
    let lines = text.source.text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let index = lines.firstIndex(where: { $0.contains(/\bvendor\.example\b/) }) else {
      return []
    }
    return [
      text.finding(
        "template", .warning, line: index + 1, "The file names vendor.example of the template.",
        remedy: "Write the vendor's own hosts and addresses, also into the fixture.")
    ]
  }
}
