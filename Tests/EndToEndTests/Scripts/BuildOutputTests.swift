import Foundation
import Testing
import TestSupport

/// The output of `Scripts/build`.
@Suite struct `A build by the script shows` {
  let package: ToyPackage

  init() throws {
    package = try ToyPackage()
  }

  @Test func `the expected time of the first one, and nothing if there is nothing to do`() throws {
    let first = try package.build()
    let lines = first.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("The first build takes about") == true)
    #expect(lines.last?.hasPrefix("Built in 0 min; ") == true && first.errors.hasSuffix(" GB.\n"))
    #expect(first.output.isEmpty)
    let second = try package.build()
    #expect(second.errors.isEmpty && second.output.isEmpty)
    try package.shell("echo 'b()' >Sources/Toy/main.swift")
    #expect(try package.build().errors == "Building…\n")
  }

  @Test(arguments: [
    (59, 500, "Building: 500 of 1,000 steps, 59 s, now: AuthCore"),
    (120, 99, "Building: 99 of 1,000 steps, 2 min, now: AuthCore"),
    (120, 250, "Building: 250 of 1,000 steps, 2 min, about 6 min left, now: AuthCore"),
    (600, 950, "Building: 950 of 1,000 steps, 10 min, about a minute left, now: AuthCore"),
    (600, 1000, "Building: 1,000 of 1,000 steps, 10 min, now: AuthCore"),
  ])
  func `the time that is left once it can be told`(_ seconds: Int, _ step: Int, _ line: String)
    throws
  {
    let shown = try package.shell(
      """
      echo '[\(step)/1000] Compiling AuthCore Account.swift' |
        awk -v seconds=\(seconds) -f '\(Program.root)/Scripts/support/progress.awk'
      """)
    #expect(
      shown.split(separator: "\n").first?.split(separator: " ", maxSplits: 1).last.map(String.init)
        == line)
  }

  @Test func `each compiler's error once, and nothing else`() throws {
    _ = try package.folder.write("bin/swift.failure", Self.failure)
    let outcome = try package.build()
    #expect(outcome.status == 3)
    #expect(
      outcome.errors.split(separator: "\n", maxSplits: 1).last == """
        /a.swift:1:9: error: no such thing
        1 | let a = warning: nothing
          |         `- error: no such thing
        /a.swift:7:1: note: it was here
        7 | let b
          | `- note: it was here

        error: undefined reference to 'c'

        """)
  }

  private static let failure = """
    Fetching https://example.com/x
    Building for production...
    [1/9] Compiling Toy a.swift
    /a.swift:1:9: error: no such thing
    1 | let a = warning: nothing
      |         `- error: no such thing
    /a.swift:7:1: note: it was here
    7 | let b
      | `- note: it was here

    /b.swift:1:1: warning: never used
    1 | print("x: error: y")
      | `- warning: never used
    [2/9] Compiling Toy b.swift
    /a.swift:1:9: error: no such thing
    1 | let a = warning: nothing
      |         `- error: no such thing
    /a.swift:7:1: note: it was here
    7 | let b
      | `- note: it was here

    error: link command failed with exit code 1 (use -v to see invocation)
    error: undefined reference to 'c'
    [3/9] Linking toy

    """

  @Test func `lines with steps and time, unless it is on a terminal`() throws {
    // Ten seconds pass between two readings of the clock.
    try package.shell(
      """
      echo '[1000/5678] Compiling AuthCore Account.swift' >../bin/swift.output
      cat >../bin/date
      chmod +x ../bin/date
      : >../bin/swift.wait
      \(package.commandLine) 2>../errors &
      until grep -q 'steps' ../errors; do sleep 0.05; done
      rm ../bin/swift.wait
      wait $!
      """,
      input: """
        #!/bin/sh
        seconds=$(cat "$0.seconds" 2>/dev/null || echo 0)
        echo $((seconds + 10)) | tee "$0.seconds"

        """)
    let lines = try package.folder.read("errors").split(separator: "\n").dropFirst()
    #expect(lines.first == "Building: 1,000 of 5,678 steps, 10 s, now: AuthCore")
    #expect(!lines.joined().contains("\u{1B}") && !lines.joined().contains("\r"))
  }

  @Test func `one line on a terminal, within its width, which is gone at the end`() throws {
    let name = String(repeating: "LongName", count: 20)
    try package.shell(
      "echo '[12/34] Compiling \(name) x.swift' >../bin/swift.output; : >../bin/swift.wait")
    let arguments = package.arguments.joined(separator: " ")
    let terminal = try Terminal(
      "'\(Program.root)/Scripts/build' \(arguments)", in: package.folder, columns: 60,
      environment: package.environment)
    let shown = try terminal.wait(for: "Building: 12 of 34 steps")
    let lines = shown.split(separator: "\n").filter { $0.contains("LongName") }
    #expect(lines.count == 1 && lines.first?.count == 59)
    try package.shell("rm ../bin/swift.wait")
    #expect(try !terminal.wait(for: "[left with 0]").contains("Building:"))
  }

  @Test func `the errors of the real compiler, and builds what it can`() throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    _ = try package.folder.write(
      "package/Package.swift",
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(name: "toy", targets: [.executableTarget(name: "toy", path: "Sources/Toy")])

      """)
    try package.shell(
      "rm Sources/Toy/other.swift; echo 'let x: Int = \"a\"; print(x)' >Sources/Toy/main.swift")
    let failed = try package.build(["PATH": path])
    #expect(failed.status == 1)
    #expect(failed.errors.contains("/Sources/Toy/main.swift:1:14: error: cannot convert"))
    #expect(!failed.errors.contains("\n[") && !failed.errors.contains("Building for"))
    try package.shell("echo 'print(\"hello\")' >Sources/Toy/main.swift")
    #expect(try package.build(["PATH": path]).status == 0)
    #expect(try package.shell(".build/release/toy") == "hello\n")
  }
}
