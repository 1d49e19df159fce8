import Foundation
import Testing
import TestSupport

/// `Scripts/support/readability` finds what makes sources hard to read.
@Suite struct `The check of readability` {
  /// A file of its own, and the places and remedies that the check prints.
  struct Fault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    /// The numbers of the lines, with a part of the remedy.
    let reports: [(line: Int, remedy: String)]
    let file: String

    init(
      _ description: String, _ text: String, _ reports: [(line: Int, remedy: String)],
      file: String = "Sources/Toy/Toy.swift"
    ) {
      testDescription = description
      self.text = text
      self.reports = reports
      self.file = file
    }
  }

  static let faults = [
    Fault(
      "question words",
      """
      /// Whether it is open.
      ///
      /// When it is closed, nothing happens.
      var isOpen = true

      struct Door {
        /// Who opens it.
        var owner = ""
      }
      """, [(1, "“Whether”. Begin with a noun or a verb"), (7, "“Who”")]),
    Fault(
      "words for people",
      """
      // Nobody reads this.
      /// The account of Somebody.
      ///
      /// It lets anybody in, unlike `nobody`.
      var account = ""
      """, [(2, "“somebody”"), (4, "“anybody” in documentation. Name the caller")]),
    Fault(
      "conditions with “where”",
      """
      /// The name; nil where there is none.
      var name: String?
      """, [(1, "Write “if”")]),
    Fault(
      "parameters without labels",
      #"""
      /// Moves everything.
      func move(_ a: Int, _ b: [Int], _ c: Int, _ d: Int) {}

      struct Door {
        init?<Key>(
          _ a: Key, b: Int = 1 << 20,  // _ x
          _ c: (_ a: Int, _ b: Int) -> Dictionary<Int, Int>, _ d: String = ",(",
          @Toy _ e: Int
        ) {}
        static func `opens (well)`(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int) {}
        subscript(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Int { 0 }
      }
      """#,
      [
        (2, "4 parameters without labels. Label them"), (5, "4 parameters"), (10, "5 parameters"),
        (11, "4 parameters"),
      ]),
    Fault(
      "parameters of a benchmark",
      """
      func move(_ a: Int, _ b: Int, _ c: Int, _ d: Int) {}
      """, [(1, "4 parameters")], file: "Benchmarks/Toy/Toy.swift"),
  ]

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["Sources", "Tests", "Benchmarks"] {
      try write("\(name)/Well.swift", Self.readable)
    }
    try write("Sources/Long.swift", String(repeating: "/// A line.\n", count: 200))
  }

  /// Declarations without a fault, with all that resembles one.
  private static let readable = #"""
    /// The place in the file, counted from 0. Says where it is.
    ///
    /// When it is closed, `somebody` has to open it.
    public var place = 0
    // Whether this is documentation: nobody says so, where there is no third slash.
    let text = """
      /// Whether it is code.
      func move(_ a: Int, _ b: Int, _ c: Int, _ d: Int)
      """
    func move(_ a: Int, _ b: Int, _ c: Int, to d: Int, by e: (_ a: Int, _ b: Int) -> Int) {}
    func move(_ a: Int, _ b: (Int, Int), _ c: Int, d: Int = min(1, 2), e _: Int) { move(1, 2, 3) }
    """#

  @Test func `prints nothing for readable sources, and allows a few places`() throws {
    let outcome = try check()
    #expect(outcome.output.isEmpty && outcome.errors.isEmpty && outcome.status == 0)
  }

  @Test(arguments: faults) func `prints`(_ fault: Fault) throws {
    try write(fault.file, fault.text)
    let outcome = try check()
    #expect(outcome.status == 1)
    let lines = outcome.output.split(separator: "\n").filter { $0.hasPrefix("\(fault.file):") }
    #expect(lines.count == fault.reports.count)
    for (line, report) in zip(lines, fault.reports) {
      #expect(line.hasPrefix("\(fault.file):\(report.line): ") && line.contains(report.remedy))
    }
  }

  @Test(arguments: ["Sources/Toy", "Tests/Toy/In", "Benchmarks/Toy"])
  func `prints a folder of more than twenty files`(_ name: String) throws {
    for number in 1...20 { try write("\(name)/File\(number).swift", "") }
    try write("\(name)/Notes.md", "")
    try write("\(name)/More/File.swift", "")
    #expect(try check().status == 0)
    try write("\(name)/File21.swift", "")
    let outcome = try check()
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("\(name): 21 Swift files in a folder, 20 at most."))
  }

  private func write(_ name: String, _ text: String) throws {
    let file = URL(filePath: "\(folder.path)/\(name)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try folder.write(name, text)
  }

  private func check() throws -> Program.Outcome {
    try Program.run(
      [folder.path], of: "\(Program.root)/Scripts/support/readability", in: folder)
  }
}
