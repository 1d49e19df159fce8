import Testing

/// A change to a package between two builds.
struct Change: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The shell script that makes the change, in the package's folder.
  let script: String
  /// Set if SwiftPM has to run for it.
  var needsBuild = true

  init(_ description: String, _ script: String, needsBuild: Bool = true) {
    testDescription = description
    self.script = script
    self.needsBuild = needsBuild
  }

  static let all = [
    Change("nothing", ":", needsBuild: false),
    Change("a touch", "touch Sources/Toy/main.swift", needsBuild: false),
    Change("an edit", "echo 'b(1)' >Sources/Toy/main.swift"),
    Change("an edit of the same size", "echo 'b()' >Sources/Toy/main.swift"),
    Change(
      "an edit of the same size and time",
      """
      touch -r Sources/Toy/main.swift ../time
      echo 'b()' >Sources/Toy/main.swift
      touch -r ../time Sources/Toy/main.swift
      """),
    Change("a moved file", "mv Sources/Toy/main.swift Sources/Toy/Moved.swift"),
    Change(
      "a file put in the place of another", "mv Sources/Toy/other.swift Sources/Toy/main.swift"),
    Change("a deleted file", "rm Sources/Toy/other.swift"),
    Change("an added file", "echo 'c()' >Sources/Toy/Added.swift"),
    Change("an added folder", "mkdir Sources/Toy/In && echo 'c()' >Sources/Toy/In/Added.swift"),
    Change("a link to a file", "echo 'c()' >../c && ln -s ../../../c Sources/Toy/Link.swift"),
    Change("an editor's hidden file", "echo 'c()' >Sources/Toy/.main.swift.swp", needsBuild: false),
    Change("a test", "echo 'c()' >Tests/ToyTests/Added.swift", needsBuild: false),
    Change("the manifest", "echo '// changed' >>Package.swift"),
    Change("the versions of dependencies", "echo '{ }' >Package.resolved"),
    Change(
      "another branch",
      """
      git checkout -q -b two
      echo 'two()' >Sources/Toy/main.swift
      """),
    Change(
      "another branch and back",
      """
      git checkout -q -b two
      echo 'two()' >Sources/Toy/main.swift
      git -c user.name=toy -c user.email=toy@example.com commit -q -a -m two
      git checkout -q one
      """, needsBuild: false),
    Change("another version of a toolchain behind a chooser", "echo 2 >../bin/swift.version"),
    Change("a toolchain instead of a chooser", ": >../bin/swift-frontend"),
    Change("a program that is gone", "rm .build/release/toy"),
    Change("a program that another build has made", "echo 'x()' >.build/release/toy"),
  ]
}
