import CEditLine

/// Shows a text that is longer than the screen with the user's pager.
struct Pager {
  /// The choice of the program.
  enum Choice: Hashable, Sendable {
    /// Everything scrolls by.
    case none
    /// A command line for the shell.
    case command(String)

    /// Takes `PAGER`, or less; an empty `PAGER` and `cat` mean none.
    init(environment: [String: String]) {
      switch environment["PAGER"] {
      case nil: self = .usual
      case "", "cat": self = .none
      case .some(let command): self = .command(command)
      }
    }

    /// less, which ends at once if the text fits and on Ctrl-C, shows colours, and cuts long lines.
    static let usual = Choice.command("less -FKRSX")
  }

  let command: String

  /// Shows a text and waits until the pager ends; returns false if there is no such program.
  ///
  /// Without a variable `LESS`, less shows colours whatever `PAGER` says.
  func show(_ text: String) -> Bool {
    var text = text
    let command = "export LESS=\"${LESS--FKRSX}\"; \(command)"
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        ceditline_page(command, $0.baseAddress, $0.count)
      }
    }
  }
}
