extension Schema {
  // An identity that was replaced is a row beside the others, so that the one unique key guards both. Its position
  // is below zero, and successor is that of the row which replaced it.
  static let predecessors = """
    ALTER TABLE identities ADD COLUMN successor INTEGER;
    ALTER TABLE identities ADD COLUMN rekey TEXT;
    ALTER TABLE identities ADD COLUMN replaced_until INTEGER;
    ALTER TABLE identities ADD COLUMN former_place INTEGER;
    """
}
