import { heldBytes } from "../../util/values/bounded_map.ts";

/** What an entry takes, in bytes, and who caused it. */
export interface CacheCost {
  bytes: number;
  sender: string | undefined;
}

/**
 * Holds what senders made us fetch, in a limited amount of memory. If it is full, the sender whose
 * entries take most loses the oldest of them, so that no sender can evict what others need.
 */
export function createFairCache<V>(maxBytes: number) {
  const entries = new Map<string, CacheCost & { value: V }>();
  const held = new Map<string | undefined, number>();
  let total = 0;

  function count(sender: string | undefined, bytes: number): void {
    const left = (held.get(sender) ?? 0) + bytes;
    if (left > 0) held.set(sender, left);
    else held.delete(sender);
    total += bytes;
  }

  function drop(name: string): void {
    const entry = entries.get(name);
    if (entry) count(entry.sender, -entry.bytes);
    entries.delete(name);
  }

  function dropOldestOfLargest(): void {
    const [largest] = [...held].reduce((one, other) => other[1] > one[1] ? other : one);
    const oldest = [...entries].find(([, { sender }]) => sender === largest);
    if (oldest) drop(oldest[0]);
  }

  return {
    get: (name: string) => entries.get(name)?.value,
    /** Adds an entry, or replaces it; it still belongs to the sender who added it. */
    set(name: string, value: V, cost: CacheCost): void {
      const { sender } = entries.get(name) ?? cost;
      drop(name);
      const bytes = heldBytes(name) + cost.bytes;
      entries.set(name, { value, bytes, sender });
      count(sender, bytes);
      while (total > maxBytes) dropOldestOfLargest();
    },
    delete: drop,
  };
}
