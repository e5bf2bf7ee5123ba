/** What a change ends or removes, by kind. */
export type Extent = Readonly<Partial<Record<keyof typeof nouns, number>>>;

/** Up to how many of a kind are counted. One more means that there are more. */
export const maxCounted = 1000;

/** The words for one and for many of a kind, in the order in which they are listed. */
const nouns = {
  clients: ["client", "clients"],
  users: ["user", "users"],
  keys: ["key", "keys"],
  sessions: ["session", "sessions"],
  authorizations: ["authorization", "authorizations"],
  passkeys: ["passkey", "passkeys"],
  consents: ["remembered consent", "remembered consents"],
} as const;

/** Describes an extent: "1 client, 14 authorizations". Kinds without any are left out. */
export function describeExtent(extent: Extent): string {
  return Object.entries(nouns).flatMap(([kind, [one, many]]) => {
    const count = extent[kind as keyof typeof nouns] ?? 0;
    return count === 0 ? [] : [`${shownCount(count)} ${count === 1 ? one : many}`];
  }).join(", ");
}

/** Returns an extent for programs: a number for each kind, or "more than 1,000". */
export function shownExtent(extent: Extent): Readonly<Record<string, number | string>> {
  return Object.fromEntries(
    Object.entries(extent).map(([kind, count]) => [kind, shownCount(count)]),
  );
}

function shownCount(count: number): number | string {
  return count > maxCounted ? `more than ${maxCounted.toLocaleString("en")}` : count;
}

/** Describes something with what belongs to it: "the user 'ada' with 2 sessions". */
export function describeWithExtent(subject: string, extent: Extent): string {
  return [subject, describeExtent(extent)].filter(Boolean).join(" with ");
}
