extension Scope {
  /// The scope of the servers themselves, which is no project's.
  ///
  /// No project can have it, for a project has a name.
  package static let servers = Scope(project: "")
}
