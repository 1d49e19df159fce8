extension Schema {
  // The number of times that an account's sessions were ended; NULL for never.
  static let generation = "ALTER TABLE accounts ADD COLUMN generation INTEGER;"
}
