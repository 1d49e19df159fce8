import TerminalOutput

@testable import AdminConsole

/// The drawings that the rendering tests draw at several widths.
enum RenderingSamples {
  static let accounts = TextTable(
    columns: [
      TextTable.Column("uid", keepsWhole: true), "email", "name",
      TextTable.Column("links", alignment: .trailing),
    ],
    rows: [
      ["u1", "ada@example.com", "Ada Lovelace", "3"],
      ["u2", "a.very.long.address.of.a.person@mail.subdomain.example.com", "李明", "12"],
      ["u3", "", Cell("evil\u{1B}[2J\nu4", style: .bad), "0"],
    ])

  static let account = KeyValueBlock(
    title: "Ada Lovelace",
    [
      ("uid", "u1"), ("email", "ada@example.com"),
      ("providers", "google.com, github.com, facebook.com, password, phone"), ("photoURL", ""),
      ("note", "one\ntwo"),
    ])

  static let graph = TreeText(
    .init(
      Cell("account u1", style: .heading),
      [
        .init("google.com 1098237", [.init("email ada@example.com")]),
        .init(
          "absorbed u2",
          [.init("github.com 583231"), .init("password with quite a long label that goes on")]),
        .init("phone \u{202E}+1"),
      ]))

  static let plan = SideBySide(
    sides: ["kept", "other"], outcome: ["result", "rule"],
    rows: [
      .init("uid", sides: ["u1", "u2"], outcome: ["u1", nil]),
      .init("email", sides: ["ada@x.org", "ada@x.org"], outcome: ["ada@x.org", "keep"]),
      .init(
        "photoURL",
        sides: ["https://img.example.com/u/1/a.png", "https://img.example.com/u/1/b.png"],
        outcome: ["https://img.example.com/u/1/b.png", "newest"]),
      .init("phone", sides: [nil, "+15550100"], outcome: ["+15550100", "union"]),
    ])
}
