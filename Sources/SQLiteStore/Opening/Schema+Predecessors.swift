extension Schema {
  // A replaced identity is a row beside the others, so that one unique key guards both. Its position is below zero,
  // and `successor` is the position of the row that replaced it.
  static let predecessors = """
    ALTER TABLE identities ADD COLUMN successor INTEGER;
    ALTER TABLE identities ADD COLUMN rekey TEXT;
    ALTER TABLE identities ADD COLUMN replaced_until INTEGER;
    ALTER TABLE identities ADD COLUMN former_place INTEGER;
    """
}
