import BuiltInProviders
import Foundation
import Testing

@Suite struct Argon2Tests {
  typealias Variant = PasswordHashParameters.Argon2.Variant

  static func vector(
    _ source: String, _ variant: Variant, _ hash: String,
    version: PasswordHashParameters.Argon2.Version = .v13
  ) -> KnownVector {
    KnownVector(
      source: source,
      parameters: sure {
        try PasswordHashParameters(
          algorithm: .argon2,
          argon2: .init(
            variant: variant, hashLength: 32, iterations: 2, parallelism: 1, memoryKiB: 64,
            version: version))
      },
      hash: hash)
  }

  static func lanes(_ variant: Variant, _ hash: String) -> KnownVector {
    KnownVector(
      source: "OpenSSL, four lanes and associated data",
      parameters: sure {
        try PasswordHashParameters(
          algorithm: .argon2,
          argon2: .init(
            variant: variant, hashLength: 16, iterations: 3, parallelism: 4, memoryKiB: 128,
            associatedData: Data("context".utf8)))
      },
      hash: hash)
  }

  static let vectors = [
    vector("OpenSSL", .d, "AypIl4Yhn0WPAFGqLLMnEbw0lv8qSGviyQ0OHeky9ug="),
    vector("OpenSSL", .i, "4CK6mHuy1ibH2r4QDCEtJELY0NgwojRj+Bos9DNK6w4="),
    vector("OpenSSL", .id, "OOYq9G+9X42NCj4NtttkDjtzcWkUtfVe/P6xXfmq7jA="),
    lanes(.d, "TjcyLZ8A9xhLxv10T0UY5g=="),
    lanes(.i, "GbtxxOM2d/cdTkEzrdJNew=="),
    lanes(.id, "2qXhYgYNS6RczjJ9YQA1NA=="),
    vector(
      "libargon2, old version", .d, "bM/1bgEWo8qyO1VvCTUq1X3Om1KR4x464fPxlfFe8ew=",
      version: .v10),
    vector(
      "libargon2, old version", .i, "cnDw9qoCoP7uBFi41ShU/8guW2AVg/S16i953nPrhvk=",
      version: .v10),
    vector(
      "libargon2, old version", .id, "nzqkymkBtb7jBRGljjszVRCBEfPLeTA1j2Pv893anoA=",
      version: .v10),
  ]

  @Test(arguments: vectors)
  func `an Argon2 hash matches its password`(vector: KnownVector) async throws {
    try await vector.check()
  }

  @Test func `a salt shorter than Argon2 allows is refused at import`() {
    let error = #expect(throws: PasswordHasherError.self) {
      try ImportedPasswordHash(
        salt: "c2FsdA==", hash: Self.vectors[0].hash, parameters: Self.vectors[0].parameters)
    }

    #expect(error?.code == .malformedHash)
  }
}
