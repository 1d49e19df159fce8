// The names of providers, sign-in methods and factors in older code. The classes have the same as `id`.

/// The provider ID of e-mail addresses.
public let EmailAuthProviderID = EmailAuthProvider.id
/// The provider ID of Google.
public let GoogleAuthProviderID = GoogleAuthProvider.id
/// The provider ID of Facebook.
public let FacebookAuthProviderID = FacebookAuthProvider.id
/// The provider ID of Twitter.
public let TwitterAuthProviderID = TwitterAuthProvider.id
/// The provider ID of GitHub.
public let GitHubAuthProviderID = GitHubAuthProvider.id
/// The provider ID of phones.
public let PhoneAuthProviderID = PhoneAuthProvider.id
/// The provider ID of Game Center.
public let GameCenterAuthProviderID = GameCenterAuthProvider.id

/// The sign-in method of an address and a password.
public let EmailPasswordAuthSignInMethod = EmailAuthProvider.id
/// The sign-in method of a link sent to an address.
public let EmailLinkAuthSignInMethod = "emailLink"
/// The sign-in method of Google.
public let GoogleAuthSignInMethod = GoogleAuthProvider.id
/// The sign-in method of Facebook.
public let FacebookAuthSignInMethod = FacebookAuthProvider.id
/// The sign-in method of Twitter.
public let TwitterAuthSignInMethod = TwitterAuthProvider.id
/// The sign-in method of GitHub.
public let GitHubAuthSignInMethod = GitHubAuthProvider.id
/// The sign-in method of a phone.
public let PhoneAuthSignInMethod = PhoneAuthProvider.id
/// The sign-in method of Game Center.
public let GameCenterAuthSignInMethod = GameCenterAuthProvider.id

/// The same as ``PhoneMultiFactorInfo/PhoneMultiFactorID``.
public let PhoneMultiFactorID = PhoneMultiFactorInfo.PhoneMultiFactorID
/// The same as ``PhoneMultiFactorInfo/TOTPMultiFactorID``.
public let TOTPMultiFactorID = PhoneMultiFactorInfo.TOTPMultiFactorID
