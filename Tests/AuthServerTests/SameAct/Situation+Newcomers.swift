import AuthCore

/// Accounts that an admin creates or an import contains.
extension Situation {
  /// The interfaces that import let accounts share an address that is not verified twice.
  private static let sharing: [FaceName: Exception] = imports(
    .done("Firebase's import lets accounts share an address, if it is not asked for sanity"))

  private static func imports(_ exception: Exception) -> [FaceName: Exception] {
    Dictionary(
      uniqueKeysWithValues: FaceName.allCases.filter(\.isImport).map { ($0, exception) })
  }

  static let newcomers: [Situation] = uids + contacts + records

  private static let uids: [Situation] = [
    Situation(
      "bring: a uid that is taken", .bring(Newcomer { $0.uid = "other" }),
      refusal: .uidAlreadyExists
    ) {
      $0.other = .bo
    },
    Situation(
      "bring: a uid that is taken, with another's address",
      .bring(
        Newcomer {
          $0.uid = "other"
          $0.email = "ada@example.com"
        }), refusal: .uidAlreadyExists
    ) {
      $0.other = .bo
    },
    Situation(
      "bring: a uid that was absorbed", .bring(Newcomer { $0.uid = "other" }),
      refusal: .uidAlreadyExists
    ) {
      $0.other = .bo
      $0.prepare = { stage in
        let (graph, scope) = (stage.server.graph, stage.server.scope)
        let plan = try await graph.planMerge(
          keep: AccountID("me"), absorb: AccountID("other"), in: scope)
        _ = try await graph.commit(plan, by: stage.server.admin)
      }
    },
    Situation(
      "bring: a uid that is none", .bring(Newcomer { $0.uid = "bell\u{7}" }),
      refusal: .invalidUID),
    Situation(
      "bring: what was brought before", .bring(again), refusal: .uidAlreadyExists
    ) {
      $0.prepare = { stage in
        _ = try await stage.server.graph.importAccounts(
          [try again.imported(to: stage)], by: stage.server.admin)
      }
      let exception = Exception.done("an import that is run again changes nothing")
      $0.exceptions = [.file: exception, .importAccounts: exception]
    },
  ]

  private static let again = Newcomer { $0.number = "+15555550100" }

  private static let contacts: [Situation] = [
    Situation(
      "bring: a free address and a free number", .bring(Newcomer { $0.number = "+15555550100" })),
    Situation(
      "bring: an address that another account has verified",
      .bring(Newcomer { $0.email = "bo@example.com" }), refusal: .emailAlreadyInUse
    ) {
      $0.other = .bo
    },
    Situation(
      "bring: an unverified address that another account has verified",
      .bring(
        Newcomer {
          $0.email = "bo@example.com"
          $0.isVerified = false
        }), refusal: .emailAlreadyInUse
    ) {
      ($0.other, $0.exceptions) = (.bo, sharing)
    },
    Situation(
      "bring: a verified address that another account never verified",
      .bring(Newcomer { $0.email = "bo@example.com" }), refusal: .emailAlreadyInUse
    ) {
      $0.other = .bo.with { $0.isVerified = false }
      $0.exceptions = sharing
    },
    Situation(
      "bring: a taken address, if accounts may share one",
      .bring(Newcomer { $0.email = "bo@example.com" })
    ) {
      $0.other = .bo.with { $0.hasPassword = false }
      $0.settings = { $0.oneAccountPerEmail = false }
    },
    Situation(
      "bring: a number of another account", .bring(Newcomer { $0.number = "+15555550100" }),
      refusal: .phoneNumberAlreadyExists
    ) {
      $0.other = .bo.with { $0.number = "+15555550100" }
    },
    Situation(
      "bring: a number of another account that is no way in",
      .bring(
        Newcomer {
          $0.number = "+15555550100"
          $0.numberSignsIn = false
        }), refusal: .phoneNumberAlreadyExists
    ) {
      $0.other = .bo.with { $0.number = "+15555550100" }
    },
  ]

  private static let records: [Situation] = [
    Situation(
      "bring: an identity of another account", .bring(Newcomer { $0.subjects = ["1001"] }),
      refusal: .credentialAlreadyInUse
    ) {
      $0.other = .bo.with { $0.subjects = ["1001"] }
    },
    Situation(
      "bring: links to an address that sign in to another account",
      .bring(
        Newcomer {
          $0.email = "bo@example.com"
          $0.hasLink = true
        }), refusal: .emailAlreadyInUse
    ) {
      $0.other = .bo.with {
        $0.isVerified = false
        $0.hasLink = true
      }
    },
    Situation(
      "bring: a second factor before an unverified address",
      .bring(
        Newcomer {
          $0.isVerified = false
          $0.isGuarded = true
        }), refusal: .unverifiedEmail),
    Situation(
      "bring: a second factor without an address",
      .bring(
        Newcomer {
          $0.email = nil
          $0.isGuarded = true
        })
    ) {
      let upload = Exception.refused(
        .unverifiedEmail, "Firebase's upload wants a verified address")
      $0.exceptions = [
        .batchCreate: upload, .importRecords: upload,
        .file: .refused(.unverifiedEmail, "a file says hasFactorsWithoutEmail if it is meant"),
      ]
    },
  ]
}
