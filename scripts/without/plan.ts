/** The features that are deleted together in one run. */
export type Group = readonly string[];

/**
 * Distributes features over a number of groups, or over more if some of one kind need each other:
 * no group has a feature that goes with another one of it, since only one of them would be shown.
 *
 * @param kinds The features whose deletion the same tests show. No group has two kinds.
 * @param dependents What goes with each feature, because it cannot do without it.
 */
export function planGroups(
  kinds: ReadonlyArray<readonly string[]>,
  dependents: ReadonlyMap<string, readonly string[]>,
  count: number,
): Group[] {
  const all = kinds.flat().length;
  return kinds.filter((names) => names.length > 0).flatMap((names) => {
    const share = Math.max(1, Math.round(count * names.length / all));
    return distribute(names, dependents, share);
  });
}

/**
 * Finds the features that cannot be deleted: a group that fails is split in halves, and so on. Where
 * both halves succeed, only the whole group fails.
 */
export async function findFailing(
  names: Group,
  succeeds: (names: Group) => Promise<boolean>,
): Promise<Group> {
  if (await succeeds(names)) return [];
  if (names.length === 1) return names;
  const middle = Math.ceil(names.length / 2);
  const failing = [
    ...await findFailing(names.slice(0, middle), succeeds),
    ...await findFailing(names.slice(middle), succeeds),
  ];
  return failing.length > 0 ? failing : names;
}

function distribute(
  names: readonly string[],
  dependents: ReadonlyMap<string, readonly string[]>,
  count: number,
): Group[] {
  const goesWith = (name: string, other: string) => dependents.get(other)?.includes(name) ?? false;
  const groups: string[][] = Array.from({ length: count }, () => []);
  // What most others need finds a group first, while many are empty.
  const weight = (name: string) => dependents.get(name)?.length ?? 0;
  for (const name of names.toSorted((one, other) => weight(other) - weight(one))) {
    const possible = groups.filter((group) =>
      !group.some((other) => goesWith(name, other) || goesWith(other, name))
    );
    const smallest = possible.toSorted((one, other) => one.length - other.length)[0];
    if (smallest) smallest.push(name);
    else groups.push([name]);
  }
  return groups.filter((group) => group.length > 0);
}
