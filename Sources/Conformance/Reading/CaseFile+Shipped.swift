public import AuthValues
import CConformance

extension CaseFile {
  /// Reads the files of the suite, which are part of the program.
  ///
  /// Throws `invalid-argument` for a file with a fault.
  public static func shipped() throws(AuthError) -> [CaseFile] {
    var files: [CaseFile] = []
    for (name, bytes) in embedded { files.append(try CaseFile(name, bytes)) }
    return files
  }

  /// The bytes of each file, with its name in the folder `Cases`.
  package static var embedded: [(name: String, bytes: [UInt8])] {
    var files: [(name: String, bytes: [UInt8])] = []
    while let file = conformance_file(files.count)?.pointee {
      let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
      files.append((String(cString: file.name), Array(bytes)))
    }
    return files
  }
}
