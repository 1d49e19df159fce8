// Ours: the types' values.

export * from "./enums";
