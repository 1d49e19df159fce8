extension ProjectSettings {
  /// What a new tenant has of its project: everything but providers, whose secrets are sealed for the project, and
  /// what is kept of them.
  var inheritedByTenants: ProjectSettings {
    var settings = ProjectSettings()
    settings.oneAccountPerEmail = oneAccountPerEmail
    settings.trust = trust
    settings.identitiesPerProvider = identitiesPerProvider
    settings.recentLoginSeconds = recentLoginSeconds
    settings.allowsUnlinkingLastMethod = allowsUnlinkingLastMethod
    settings.mergePolicy = mergePolicy
    settings.totpDriftSteps = totpDriftSteps
    settings.mergeRetentionDays = mergeRetentionDays
    settings.eventRetentionDays = eventRetentionDays
    settings.sessionRetentionDays = sessionRetentionDays
    settings.profileOnSignIn = profileOnSignIn
    settings.signIn = signIn
    settings.signIn.displayName = nil
    return settings
  }
}
