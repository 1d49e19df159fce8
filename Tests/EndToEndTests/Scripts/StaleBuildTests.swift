import Foundation
import Testing
import TestSupport

/// `Scripts/build` runs SwiftPM if anything has changed, and only then.
@Suite struct `A build by the script` {
  let package: ToyPackage

  init() throws {
    package = try ToyPackage()
  }

  @Test(arguments: Change.all)
  func `follows a change, and costs nothing afterwards`(_ change: Change) throws {
    #expect(try package.build().status == 0)
    #expect(try package.builds == 1)
    try package.shell(change.script)
    #expect(try package.build().status == 0)
    #expect(try package.builds == (change.needsBuild ? 2 : 1))
    #expect(try package.program == package.sources)
    #expect(try package.build().status == 0)
    #expect(try package.builds == (change.needsBuild ? 2 : 1))
  }

  @Test func `takes less than a second if there is nothing to build`() throws {
    try package.shell("for i in $(seq 1500); do echo 'x()' >Sources/Toy/x$i.swift; done")
    #expect(try package.build().status == 0)
    // The shortest of several, because other tests run beside this one.
    var durations: [Duration] = []
    for _ in 0..<5 {
      let start = ContinuousClock.now
      #expect(try package.build().status == 0)
      durations.append(ContinuousClock.now - start)
    }
    #expect(try package.builds == 1)
    #expect(try #require(durations.min()) < .seconds(1))
  }

  @Test func `follows the packages and folders that the manifest names`() throws {
    try package.shell(
      """
      mkdir -p ../beside/Sources Elsewhere
      echo '// beside' >../beside/Package.swift
      echo '.package(name: "beside", path: "../beside") .target(path: "Elsewhere")' >Package.swift
      """)
    #expect(try package.build().status == 0)
    let changes = ["../beside/Sources/a.swift", "../beside/Package.swift", "Elsewhere/a.swift"]
    for (index, name) in changes.enumerated() {
      try package.shell("echo 'b()' >\(name)")
      #expect(try package.build().status == 0)
      #expect(try package.builds == index + 2)
    }
    #expect(try package.build().status == 0)
    #expect(try package.builds == changes.count + 1)
  }

  @Test func `shows an edit that kept its time to SwiftPM, which goes by times`() throws {
    #expect(try package.build().status == 0)
    let edit = try #require(Change.all.first { $0.testDescription.hasSuffix("size and time") })
    try package.shell(edit.script)
    #expect(try package.build().status == 0)
    try package.shell("test Sources/Toy/main.swift -nt ../time")
  }

  @Test func `is never older than the last of many edits at once`() throws {
    for edit in 100..<110 {
      try package.shell("echo 'a\(edit)()' >Sources/Toy/main.swift && \(package.commandLine)")
      #expect(try package.program.contains("a\(edit)()"))
    }
  }

  @Test func `is repeated if a source was edited meanwhile, even back to what it was`() throws {
    try package.shell(
      """
      : >../bin/swift.wait
      \(package.commandLine) &
      while [ ! -e ../bin/swift.started ]; do sleep 0.05; done
      echo 'b()' >Sources/Toy/main.swift
      echo 'a()' >Sources/Toy/main.swift
      rm ../bin/swift.wait
      wait $!
      """)
    #expect(try package.builds == 1)
    #expect(try package.build().status == 0)
    #expect(try package.builds == 2)
  }

  @Test func `waits for another one, and then has nothing left to do`() throws {
    try package.shell(
      """
      : >../bin/swift.wait
      \(package.commandLine) &
      first=$!
      while [ ! -e ../bin/swift.started ]; do sleep 0.05; done
      \(package.commandLine) 2>../second &
      second=$!
      until grep -q 'Waiting for another build' ../second; do sleep 0.05; done
      rm ../bin/swift.wait
      wait $first
      wait $second
      """)
    #expect(try package.builds == 1)
  }

  @Test func `that failed is repeated`() throws {
    #expect(try package.build().status == 0)
    try package.shell("echo 'error: no' >../bin/swift.failure; echo 'b()' >Sources/Toy/main.swift")
    #expect(try package.build().status == 3)
    #expect(try package.build().status == 3)
    try package.shell("rm ../bin/swift.failure")
    #expect(try package.build().status == 0)
    #expect(try package.builds == 4)
    #expect(try package.program == package.sources)
  }

  @Test func `that was interrupted ends SwiftPM, and is repeated`() throws {
    try package.shell(": >../bin/swift.wait")
    let script = try package.folder.write(
      "interrupted.sh",
      "trap : INT; cd '\(package.root)'; \(package.commandLine); echo $? >../status")
    let terminal = try Terminal("/bin/sh '\(script)'", in: package.folder)
    try wait(for: "bin/swift.started")
    let standIn = try package.folder.read("bin/swift.started").trimmingCharacters(in: .newlines)
    try terminal.press("C-c")
    try wait(for: "status")
    #expect(try package.folder.read("status") == "130\n")
    try package.shell("if kill -0 \(standIn); then exit 1; fi; rm ../bin/swift.wait")
    #expect(try package.build().status == 0)
    #expect(try package.builds == 2)
    #expect(try package.program == package.sources)
  }

  /// Waits until a file has content; the limit only prevents a hang.
  private func wait(for name: String) throws {
    for _ in 0..<600 {
      if let text = try? package.folder.read(name), !text.isEmpty { return }
      usleep(50_000)
    }
    throw Failed(description: "\(name) never appeared")
  }
}
