// Ours: the kinds of an app's parts, and when they are made.

export const ComponentType = { PRIVATE: "PRIVATE", PUBLIC: "PUBLIC", VERSION: "VERSION" };
export const InstantiationMode = { EAGER: "EAGER", EXPLICIT: "EXPLICIT", LAZY: "LAZY" };
