// Ours: no page has an app of a server.

export class FirebaseServerAppImpl {}
