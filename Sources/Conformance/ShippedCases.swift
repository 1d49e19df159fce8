public import AuthValues

extension CaseFile {
  /// The files of the suite, read from the program itself.
  ///
  /// Throws `invalid-argument` for a file with a fault.
  public static func shipped() throws(AuthError) -> [CaseFile] {
    var files: [CaseFile] = []
    for (name, bytes) in embedded { files.append(try CaseFile(name, bytes)) }
    return files
  }

  /// The bytes of each file by its name in the folder `Cases`.
  package static var embedded: [(name: String, bytes: [UInt8])] {
    []
  }
}
