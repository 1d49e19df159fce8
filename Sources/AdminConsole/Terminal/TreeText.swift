package import TerminalOutput

/// Draws a tree with `├──` and `└──`.
package struct TreeText: Drawing {
  /// A label and the nodes below it.
  package struct Node: Sendable {
    fileprivate let label: Cell
    fileprivate var children: [Node]

    /// Makes a node.
    package init(_ label: Cell, _ children: [Node] = []) {
      self.label = label
      self.children = children
    }

    /// Adds a child below the others.
    package mutating func append(_ child: Node) {
      children.append(child)
    }
  }

  private let root: Node

  /// Makes a drawing of a tree.
  package init(_ root: Node) {
    self.root = root
  }

  /// Draws the tree, without a final newline.
  ///
  /// Labels are cut at the width of a terminal. At a depth that leaves no room for them, the left part of the branches
  /// is replaced by `…`.
  package func painted(for profile: TerminalProfile) -> PaintedText {
    var lines: [PaintedText] = []
    // A stack instead of recursion, because a chain of absorbed accounts may be long.
    var pending = [(node: root, branch: "", below: "")]
    while let (node, branch, below) = pending.popLast() {
      let text = VisibleText.cell(node.label.text, for: profile)
      let shown = profile.isBounded ? shortened(branch, to: profile.width / 2) : branch
      let label =
        profile.isBounded ? TextFitting.truncated(text, to: profile.width - shown.count) : text
      lines.append(
        PaintedText(laidOut: shown, style: .muted)
          + PaintedText(laidOut: label, style: node.label.style))
      for (index, child) in node.children.enumerated().reversed() {
        let isLast = index == node.children.count - 1
        pending.append(
          (child, below + (isLast ? "└── " : "├── "), below + (isLast ? "    " : "│   ")))
      }
    }
    return lines.joined(separator: "\n")
  }

  private func shortened(_ branch: String, to width: Int) -> String {
    guard branch.utf8.count > width, branch.count > width else { return branch }
    return "…" + branch.suffix(width - 1)
  }
}
