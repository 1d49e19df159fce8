import BuiltInProviders
import Foundation
import Testing

/// Checks Firebase's modified scrypt at its real cost.
@Suite struct FirebaseScryptTests {
  struct Account: Sendable, CustomTestStringConvertible {
    let localID: String
    let salt: String
    let hash: String

    var testDescription: String { localID }
  }

  static let parameters = sure {
    try PasswordHashParameters(options: [
      "hash-algo": "SCRYPT",
      "hash-key":
        "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
      "salt-separator": "Bw==", "rounds": "8", "mem-cost": "14",
    ])
  }

  @Test func `the vector that Firebase publishes matches`() async throws {
    try await KnownVector(
      source: "README of firebase/scrypt", parameters: Self.parameters,
      password: "user1password", salt: "42xEC+ixf3L2lw==",
      hash:
        "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
    ).check()
  }

  @Test func `a hash in the web-safe alphabet is the same hash`() async throws {
    try await KnownVector(
      source: "README of firebase/scrypt", parameters: Self.parameters,
      password: "user1password", salt: "42xEC-ixf3L2lw",
      hash: "lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ"
    ).check()
  }

  static let exported = [
    Account(
      localID: "DNxSIvPZZ63fFKcZjR4I0b3jRtaW", salt: "kAJK1r2jQBvpyMvM",
      hash:
        "EISxL5DcUsnAkwtCAuuhiEgMFd7qYSESRZYVtuUqaBQnW3EPe9Jx/WXcoqla4935wkAf10NOfs+HcnWQhwj4fg=="
    ),
    Account(
      localID: "uZdZv8FuKKIBJl5dzpJn0meq7WJj", salt: "Y2wOgGyVe6aE1kMf",
      hash:
        "7h/jJZPhsHb0rHjfEfPYjtMCSLPBRLk0qSIncMr64ocn9hpMS4hh8ifr2iQGNZ2JdnHui3/6C7fEvuOKXFteVQ=="
    ),
    Account(
      localID: "MRCxGgcjBw56EcUngmgMsRcgizeg", salt: "oSV72yVsmz5Pu0mB",
      hash:
        "BHM86mHK9rq0+sTmFIuBmweX8O2fqosm6K82r2WM2J11PuU93+5NG/dr4lBJdwTKxaEXWnViGkjs0aW0C6YXVQ=="
    ),
    Account(
      localID: "zEv7g5iFqhEvveQzE2QPuwNOvpdf", salt: "qYKbRAb2H/iJMm/6",
      hash:
        "l0/cLCPaxsFwGGOTM9TZpKImYql22llxw9jdw+YZUI+9aBBoq/AWgcBJEIG6FUeAQ7NXaMLcGluZOG69ugi1GQ=="
    ),
    Account(
      localID: "7eBSdE0g9cRYN687NElFJvhQ8XIm", salt: "++bPmkjVsMChPakA",
      hash:
        "DDDM0rWg5SlNp/xolPJSLZ/VNjuoSY0mO4MKtA55m4zn5vCN2EG6hz7D52xo4ToA5V3Yv4eIX3j1n7FN7mn+Nw=="
    ),
    Account(
      localID: "eaVSTQvvpQZpPTejqZHKpKENg5zf", salt: "ry6jeryEZwrTxNNr",
      hash:
        "GH9w/Kg47AZLIe8RvZCqzKgXIcF2jdecWdDbApDiTVkv4kXaHOTiqQfptUVU2m6fjx6wFQpeorhSJ/Jde/sv8A=="
    ),
    Account(
      localID: "rpaFQOqb7XOfCsVtaXrZMAzSv2gE", salt: "/V9y+NUcSskbbQxI",
      hash:
        "WxtsMXd7QVaesb8D3Iw2+7ltCkttWe9gL7Q5thCbR9fSay6nrTk2XsnlS1ew02UWGuO0VlS953h1AN/hc894Ew=="
    ),
    Account(
      localID: "fLAz7vT0sxJmPU3UdXyymFgMZwKP", salt: "K2ox1//kWHdE1et4",
      hash:
        "NcjDqKXuElMrOwuljPWFz3aAsXlXReZmNYBch+81GyD+ubBoiPnSyLkGYj311XmGJBTe3c6Rlwxl3oWPZr/oHw=="
    ),
    Account(
      localID: "mQxxq8AGomtnWNCXVJCNQCmup6N0", salt: "INAzyk8uU8uK0ZGd",
      hash:
        "eWvxnMd0xsLzyFsvmL7/an72ufupySgHxHMgSCFCAOV7nkCWtaUiI1vhdR4Es8Y4NP8jIfCuKhnqjITFAax0Rw=="
    ),
    Account(
      localID: "8Ab5KbH0FZk4XdxKIADjJpz6ZFkn", salt: "ZZpAFvehG8YsUnHP",
      hash:
        "vVu2XiwkMUJCJyKusIeWwjzTy4SGa8A00vK2RdSfEpmVNsIbQMcw2HR/R4kOpXdXM7C8poagJFti9bHefsaVsA=="
    ),
  ]

  @Test(arguments: exported)
  func `an account of an export signs in with its password`(account: Account) async throws {
    try await KnownVector(
      source: account.localID, parameters: Self.parameters,
      password: "pw-" + account.localID, salt: account.salt, hash: account.hash
    ).check()
  }
}
