extension Schema {
  // How often the sessions of an account were ended; NULL for never.
  static let generation = "ALTER TABLE accounts ADD COLUMN generation INTEGER;"
}
