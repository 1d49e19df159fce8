public import Foundation

// The names that Firebase's SDK gives the closures of its calls.

/// The handle that ``Auth/addStateDidChangeListener(_:)`` returns.
public typealias AuthStateDidChangeListenerHandle = any NSObjectProtocol
/// The handle that ``Auth/addIDTokenDidChangeListener(_:)`` returns.
public typealias IDTokenDidChangeListenerHandle = any NSObjectProtocol
/// A listener for changes of user.
public typealias AuthStateDidChangeListenerBlock = (Auth, User?) -> Void
/// A listener for new ID tokens.
public typealias IDTokenDidChangeListenerBlock = (Auth, User?) -> Void
/// The completion of a sign-in or a link.
public typealias AuthDataResultCallback = (AuthDataResult?, (any Error)?) -> Void
/// The completion with a credential.
public typealias AuthCredentialCallback = (AuthCredential?, (any Error)?) -> Void
/// The completion with an ID token.
public typealias AuthTokenCallback = (String?, (any Error)?) -> Void
/// The completion with the content of an ID token.
public typealias AuthTokenResultCallback = (AuthTokenResult?, (any Error)?) -> Void
/// The completion with the verification ID of a code that was sent.
public typealias VerificationResultCallback = (String?, (any Error)?) -> Void
/// The completion with sign-in methods.
public typealias SignInMethodQueryCallback = ([String]?, (any Error)?) -> Void
/// The completion with the address of a code.
public typealias VerifyPasswordResetCodeCallback = (String?, (any Error)?) -> Void
/// The completion with the purpose of a code.
public typealias CheckActionCodeCallback = (ActionCodeInfo?, (any Error)?) -> Void
/// The completion of a call without a result.
public typealias AuthVoidErrorCallback = ((any Error)?) -> Void
/// The completion of ``Auth/applyActionCode(_:completion:)``.
public typealias ApplyActionCodeCallback = ((any Error)?) -> Void
/// The completion of a new password.
public typealias ConfirmPasswordResetCallback = ((any Error)?) -> Void
/// The completion of a message to reset a password.
public typealias SendPasswordResetCallback = ((any Error)?) -> Void
/// The completion of a message with a sign-in link.
public typealias SendSignInLinkToEmailCallback = ((any Error)?) -> Void
/// The completion of a message that verifies an address.
public typealias SendEmailVerificationCallback = ((any Error)?) -> Void
/// The completion of ``UserProfileChangeRequest/commitChanges(completion:)``.
public typealias UserProfileChangeCallback = ((any Error)?) -> Void
/// The completion of ``Auth/updateCurrentUser(_:completion:)``.
public typealias UserUpdateCallback = ((any Error)?) -> Void
