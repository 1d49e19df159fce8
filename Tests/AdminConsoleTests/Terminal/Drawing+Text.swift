import TerminalOutput

@testable import AdminConsole

extension Drawing {
  /// Returns the drawing as it is written.
  func render(for profile: TerminalProfile) -> String {
    painted(for: profile).text(for: profile)
  }
}
