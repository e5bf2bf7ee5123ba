/**
 * Returns the member of a table under a name that came from outside. A name such as "constructor"
 * finds nothing: it is a member of every object.
 */
export function ownMember<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
