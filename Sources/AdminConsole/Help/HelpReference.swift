/// The reference of the console as an article, made from the entries that `help` prints.
enum HelpReference {
  static var markdown: String {
    let sections = Section.all.map { section in
      let topics = HelpTopic.all.filter { section.groups.contains($0.group) }
      return "## \(section.title)\n\n" + topics.map(text(of:)).joined(separator: "\n\n")
    }
    let surroundings = HelpTopic.surroundings.map(text(of:)).joined(separator: "\n\n")
    return """
      # Reference of the console

      Every function, method and value of the admin console.

      ## Overview

      The console prints the entries of this page: `help "accounts.find"`. A name with a dot is a function, and one
      with a colon is a method of an object: `ada:update { … }`. A function with a single table or text as its argument
      needs no parentheses.

      Every write takes `reason` and `dryRun` in its last argument. A write returns a receipt, which `why` explains. A
      misspelled option is refused.

      <doc:ConsoleTour> introduces the functions, and <doc:Cookbook> has recipes.

      \(sections.joined(separator: "\n\n"))

      ## Around the functions

      \(surroundings)

      """
  }

  private static func text(of topic: HelpTopic) -> String {
    let isOfShell = ["authgraph ", "Scripts/"].contains { topic.forms[0].hasPrefix($0) }
    // Columns would be lost in a paragraph.
    let hasColumns = topic.about.contains("  ")
    return """
      ### \(topic.name)

      ```\(isOfShell ? "sh" : "lua")
      \(topic.forms.joined(separator: "\n"))
      ```

      \(hasColumns ? "```text\n\(topic.about)\n```" : topic.about)
      """
  }

  /// A section of the article: the groups of functions in it.
  private struct Section {
    let title: String
    let groups: Set<String>

    static let all = named + [rest]

    private static let named = [
      Section(
        title: "Accounts", groups: ["accounts", "account", "transfer", "graph", "duplicates"]),
      Section(title: "Second factors", groups: ["multiFactor", "enrollment", "resolver"]),
      Section(title: "Merges", groups: ["merge", "plan", "mergeList", "mergeBatch"]),
      Section(title: "Rehearsals", groups: ["begin", "rehearsal", "commit", "nevermind"]),
      Section(title: "Audit", groups: ["audit", "event", "why"]),
      Section(
        title: "Providers and sign-ins",
        groups: ["providers", "provider", "auth", "rekey", "secret"]),
      Section(title: "Plug-ins", groups: ["plugins"]),
      Section(title: "Policies and hooks", groups: ["policy", "hooks"]),
      Section(title: "Settings", groups: ["settings", "tenants"]),
    ]

    /// The groups that no other section has.
    private static let rest = Section(
      title: "The console",
      groups: Set(HelpTopic.all.map(\.group)).subtracting(named.flatMap(\.groups)))
  }
}
