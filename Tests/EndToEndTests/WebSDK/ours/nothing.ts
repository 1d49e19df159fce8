// Ours: in place of a file that has types alone.

export {};
