extension Scope {
  /// The scope of the servers themselves.
  ///
  /// No project can have it, because its name is empty.
  package static let servers = Scope(project: "")
}
