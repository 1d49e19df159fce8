// Ours: the providers of a user.

export function providerDataAsNames(entries: { providerId?: string }[]): Set<string> {
  return new Set(entries.map((entry) => entry.providerId).filter(Boolean) as string[]);
}
