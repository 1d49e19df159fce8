extension String {
  /// The `snake_case` text as `snakeCase`; a text without an underscore is unchanged.
  package var camelCased: String {
    guard utf8.contains(UInt8(ascii: "_")) else { return self }
    var result = ""
    var raises = false
    for character in self {
      if character == "_" {
        raises = !result.isEmpty
      } else {
        result += raises ? character.uppercased() : String(character)
        raises = false
      }
    }
    return result
  }
}
