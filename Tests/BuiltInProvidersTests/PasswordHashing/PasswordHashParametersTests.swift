import BuiltInProviders
import Foundation
import Testing

@Suite struct PasswordHashParametersTests {
  static let file = """
    {
      "$schema": "anything", "_note": [1, 2],
      "hash-algo": "SCRYPT", "hash-key": "c2lnbmVyIGtleQ==", "salt-separator": "Bw==",
      "rounds": 8, "mem-cost": "14", "published-vector": {"password": "user1password"}
    }
    """

  @Test func `a file in the words of the command line is read`() throws {
    let parameters = try PasswordHashParameters(json: Data(Self.file.utf8))

    #expect(parameters.algorithm == .scrypt)
    #expect(parameters.key == Data("signer key".utf8))
    #expect(parameters.saltSeparator == Data([7]))
    #expect(parameters.rounds == 8)
    #expect(parameters.memoryCost == 14)
  }

  @Test func `options and a file that say the same are the same`() throws {
    let parameters = try PasswordHashParameters(options: [
      "hash-algo": "scrypt", "hash-key": "c2lnbmVyIGtleQ", "salt-separator": "Bw",
      "rounds": "8", "mem-cost": "14",
    ])

    #expect(try parameters == PasswordHashParameters(json: Data(Self.file.utf8)))
  }

  @Test func `a key in the web-safe alphabet is the same key`() throws {
    let standard = try PasswordHashParameters(options: [
      "hash-algo": "HMAC_SHA256", "hash-key": "+/+/",
    ])
    let webSafe = try PasswordHashParameters(options: [
      "hash-algo": "HMAC_SHA256", "hash-key": "-_-_",
    ])

    #expect(standard == webSafe)
  }

  @Test func `encoding and decoding give the same parameters and the same identifier`() throws {
    let parameters = try PasswordHashParameters(json: Data(Self.file.utf8))

    let copy = try JSONDecoder().decode(
      PasswordHashParameters.self, from: JSONEncoder().encode(parameters))

    #expect(copy == parameters)
    #expect(copy.id == parameters.id)
  }

  @Test func `the identifier never changes, for stored hashes name it`() throws {
    let parameters = try PasswordHashParameters(json: Data(Self.file.utf8))

    #expect(parameters.id == "b894bb7b95c95c7b")
  }

  @Test func `each difference gives another identifier`() throws {
    let one = try PasswordHashParameters(algorithm: .md5, rounds: 1)
    let other = try PasswordHashParameters(algorithm: .md5, rounds: 1, inputOrder: .saltFirst)

    #expect(one.id != other.id)
  }

  @Test func `decoding checks the limits too`() throws {
    let hostile = Data(#"{"algorithm": "PBKDF2_SHA256", "rounds": 2000000000}"#.utf8)

    #expect(throws: PasswordHashParametersError.self) {
      try JSONDecoder().decode(PasswordHashParameters.self, from: hostile)
    }
  }

  @Test func `neither description nor error shows the key`() throws {
    let parameters = try PasswordHashParameters(json: Data(Self.file.utf8))
    let error = #expect(throws: PasswordHashParametersError.self) {
      try PasswordHashParameters(options: ["hash-algo": "SCRYPT", "hash-key": "s3cret!"])
    }

    #expect(parameters.description == "SCRYPT (\(parameters.id))")
    #expect(error?.field == "hash-key")
    #expect(error?.description.contains("s3cret") == false)
  }

  @Test(
    arguments: [
      ("mem-cots", "mem-cost"), ("salt-seperator", "salt-separator"), ("round", "rounds"),
      ("hash-algorith", "hash-algo"), ("hashkey", "hash-key"),
    ])
  func `an unknown name is answered with the nearest`(name: String, nearest: String) {
    let error = #expect(throws: PasswordHashParametersError.self) {
      try PasswordHashParameters(json: Data(#"{"hash-algo": "MD5", "\#(name)": 1}"#.utf8))
    }

    #expect(error?.field == name)
    #expect(error?.remedy == "Did you mean \"\(nearest)\"?")
  }

  @Test func `an unknown algorithm is answered with the nearest`() {
    let error = #expect(throws: PasswordHashParametersError.self) {
      try PasswordHashParameters(options: ["hash-algo": "PBKDF2_SHA1", "rounds": "1"])
    }

    #expect(error?.field == "hash-algo")
    #expect(error?.remedy == "Did you mean \"PBKDF_SHA1\"?")
  }

  @Test(arguments: ["[]", "", "{", "7", #"{"hash-algo": "MD5", "rounds": 1.5}"#])
  func `parameters that are no object of texts and whole numbers are refused`(text: String) {
    #expect(throws: PasswordHashParametersError.self) {
      try PasswordHashParameters(json: Data(text.utf8))
    }
  }

  @Test func `the order has a name on the command line and one on the wire`() {
    #expect(PasswordHashParameters.InputOrder(named: "SALT_AND_PASSWORD") == .saltFirst)
    #expect(PasswordHashParameters.InputOrder(named: "password_first") == .passwordFirst)
    #expect(PasswordHashParameters.InputOrder(named: "SALT") == nil)
    #expect(PasswordHashParameters.InputOrder.saltFirst.passwordHashOrder == "SALT_AND_PASSWORD")
  }
}
