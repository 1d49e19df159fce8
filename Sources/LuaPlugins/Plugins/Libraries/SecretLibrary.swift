import AuthCore
import LuaRuntime

/// The library `secret`, which makes secrets of secrets.
enum SecretLibrary {
  private static let mostParts = 16

  static func install(in state: LuaState) throws(LuaError) {
    var secret = LuaLibrary(name: "secret")
    secret.function("join", join)
    try state.set("secret", to: state.library(secret))
  }

  /// Implements `secret.join(part, …)`: the parts, texts or secrets, as one secret.
  private static func join(_ call: LuaCall) throws -> [LuaValue] {
    var bytes: [UInt8] = []
    var count = 0
    while count == 0 || !call.isNil(count + 1) {
      count += 1
      guard count <= mostParts else {
        throw call.argumentError(count, "at most \(mostParts) parts expected")
      }
      bytes += try call.bytesOrSecret(count, "part").bytes
      try call.charge(bytes.count / 4)
    }
    return [.secret(LuaSecret(bytes))]
  }
}
