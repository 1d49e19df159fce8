import TerminalOutput
import Testing

@testable import AdminConsole

/// Lines or blocks, by the width of the window and the choice of the admin.
@Suite struct `The layout of records` {
  private let table = TextTable(
    columns: [
      TextTable.Column("uid", keepsWhole: true), .address("email"),
      TextTable.Column("verified", canBeSpared: true), "displayName",
      TextTable.Column("providers", canBeSpared: true),
    ],
    rows: [
      [
        "4BCdeJBD1S5sRmYS9ultl3esqFsy", "grace.haas1647@gmail.com", "no", "Grace Haas",
        "github.com, google.com",
      ]
    ])

  private func profile(
    _ width: Int, _ records: TerminalProfile.RecordLayout = .automatic
  ) -> TerminalProfile {
    var profile = TerminalProfile(isTerminal: true, width: width)
    profile.records = records
    return profile
  }

  @Test func `eighty columns leave out what can be spared, and never cut an address`() {
    #expect(
      table.render(for: profile(80)) == """
        uid                           email                     verified  displayName
        ────────────────────────────  ────────────────────────  ────────  ───────────
        4BCdeJBD1S5sRmYS9ultl3esqFsy  grace.haas1647@gmail.com  no        Grace Haas
        """)
    #expect(table.laidOut(for: profile(80)).spared == ["providers"])
    #expect(table.laidOut(for: profile(140)).spared.isEmpty)
    #expect(table.render(for: profile(140)).contains("github.com, google.com"))
  }

  @Test func `an address is cut last, and not below what identifies it`() {
    var long = table
    long.append(["u2", "somebody.with.a.long.name@department.example.com", "yes", "Some Body"])
    let shown = long.render(for: profile(80))
    #expect(long.laidOut(for: profile(80)).spared == ["verified", "providers"])
    #expect(shown.contains("grace.haas1647@gmail.com "))
    #expect(shown.contains("somebody.with.a.long.name@depart"))
    #expect(shown.split(separator: "\n").count == 4)
  }

  @Test func `a window without room for the address gets a block with everything`() {
    let shown = table.render(for: profile(50))
    #expect(shown.hasPrefix("uid          4BCdeJBD1S5sRmYS9ultl3esqFsy\n"))
    #expect(shown.contains("providers    github.com, google.com"))
    #expect(table.laidOut(for: profile(50)).spared.isEmpty)
  }

  @Test func `blocks and lines can be asked for`() {
    #expect(table.render(for: profile(200, .blocks)).hasPrefix("uid          4BC"))
    let lines = table.render(for: profile(50, .lines)).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[2].contains("grace.haas1647@gmail.com"))
  }

  @Test func `a file has every cell whole on one line, whatever COLUMNS says`() {
    let file = TerminalProfile(isTerminal: false, width: 40)
    let lines = table.render(for: file).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[2].hasSuffix("github.com, google.com"))
    #expect(lines[2].contains("grace.haas1647@gmail.com"))
  }

  private let plan = SideBySide(
    sides: ["before", "after"],
    rows: [
      .init("createdAt", sides: ["2023-11-14 22:13:20 UTC", "2023-11-23 22:13:20 UTC"]),
      .init("email", sides: ["ada.of.lovelace@department.example.com", "ada@example.com"]),
    ], keepsWords: true)

  @Test func `a comparison that keeps words breaks between them, or becomes blocks`() {
    let wide = plan.render(for: profile(80))
    #expect(wide.contains("ada.of.lovelace@department.example.com"))
    #expect(!wide.contains("\n\n"))
    let narrow = plan.render(for: profile(50))
    #expect(narrow.contains("≠ createdAt\nbefore  2023-11-14 22:13:20 UTC\n"))
    #expect(narrow.contains("ada.of.lovelace@department.example.com"))
    let file = plan.render(for: TerminalProfile(isTerminal: false))
    #expect(file.split(separator: "\n").count == 4)
  }
}
