/**
 * Merges lists that agree in their order: what comes first in one list comes first in the result.
 * What no list compares stays beside its neighbor.
 */
export function mergeOrders(lists: ReadonlyArray<readonly string[]>): string[] {
  const unique = lists.map((list) => [...new Set(list)]);
  const left = insertBesideNeighbors(unique);
  const before = predecessorsIn(unique);
  const order: string[] = [];
  while (left.length > 0) {
    const at = left.findIndex((id) => !left.some((each) => before.get(id)?.has(each)));
    if (at < 0) throw new Error(`Requests disagree on the order of: ${left.join(", ")}`);
    order.push(...left.splice(at, 1));
  }
  return order;
}

function insertBesideNeighbors(lists: ReadonlyArray<readonly string[]>): string[] {
  const order: string[] = [];
  for (const list of lists) {
    for (const [at, id] of list.entries()) {
      if (!order.includes(id)) order.splice(order.indexOf(list[at - 1] ?? "") + 1, 0, id);
    }
  }
  return order;
}

function predecessorsIn(lists: ReadonlyArray<readonly string[]>): Map<string, Set<string>> {
  const before = new Map<string, Set<string>>();
  for (const list of lists) {
    for (const [at, id] of list.entries()) {
      before.set(id, new Set([...before.get(id) ?? [], ...list.slice(0, at)]));
    }
  }
  return before;
}
