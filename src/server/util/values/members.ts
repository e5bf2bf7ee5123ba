/** A type whose members with a default are always present. */
export type WithDefaults<T, Defaults> = Omit<T, keyof Defaults> & Defaults;

/** Fills in defaults. An undefined member counts as missing. */
export function fillDefaults<T extends object, Defaults extends Partial<T>>(
  defaults: Defaults,
  given: T,
): WithDefaults<T, Defaults> {
  return { ...defaults, ...withoutUndefined(given) };
}

/** Leaves out members that are undefined. Returns the same object if there are none. */
export function withoutUndefined<T extends object>(given: T): T {
  if (!Object.values(given).includes(undefined)) return given;
  const members = Object.entries(given).filter(([, value]) => value !== undefined);
  // Only optional members can be undefined.
  return Object.fromEntries(members) as T;
}

/**
 * Returns the member of a table under a name that came from outside. A name such as "constructor"
 * finds nothing: it is a member of every object.
 */
export function ownMember<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
