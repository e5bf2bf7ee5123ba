/**
 * How many parts the rows are divided into. It never changes: rows would not be found again. Each
 * part has its own hash tag, so that a Redis Cluster can keep it on any of its masters.
 */
const shardCount = 32;

/** How many hash slots a Redis Cluster has. */
const slotCount = 16384;

/** The hash tag of each shard. Their slots are spread evenly, as those of the masters are. */
export const shards: readonly string[] = createTags();

/**
 * Returns the shard of a row. It depends on the first part of the id, as `joinId` makes it: rows
 * that are listed together share a shard.
 */
export function shardOf(kind: string, id: string): string {
  const [firstPart] = id.split("/", 1);
  const shard = Math.floor(slotOf(`${kind}/${firstPart}`) / (slotCount / shardCount));
  return shards[shard] ?? "";
}

/** Finds the smallest number in the range of slots of each shard. */
function createTags(): string[] {
  const tags = new Map<number, string>();
  for (let n = 0; tags.size < shardCount; n++) {
    const shard = Math.floor(slotOf(`${n}`) / (slotCount / shardCount));
    if (!tags.has(shard)) tags.set(shard, `${n}`);
  }
  return Array.from({ length: shardCount }, (_, shard) => tags.get(shard) ?? "");
}

/**
 * Returns the hash slot of an ASCII text: its CRC-16, as the Redis Cluster specification asks. All
 * bits of a byte are taken at once: a flow asks for fourteen slots.
 */
function slotOf(text: string): number {
  let crc = 0;
  for (let i = 0; i < text.length; i++) {
    const byte = ((crc >> 8) ^ text.charCodeAt(i)) & 0xff;
    const bits = byte ^ (byte >> 4);
    crc = ((crc << 8) ^ (bits << 12) ^ (bits << 5) ^ bits) & 0xffff;
  }
  return crc % slotCount;
}
