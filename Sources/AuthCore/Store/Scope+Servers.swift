extension Scope {
  /// Where the servers of a store keep what is theirs and no project's.
  ///
  /// No project can have it, for a project has a name.
  package static let servers = Scope(project: "")
}
