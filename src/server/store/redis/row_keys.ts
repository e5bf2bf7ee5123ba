/**
 * How many parts the rows are divided into. It never changes: rows would not be found again. Each
 * part has its own hash tag, so that a Redis Cluster can keep it on any of its masters.
 */
const shardCount = 32;

/** How many hash slots a Redis Cluster has. */
const slotCount = 16384;

/** The hash tag of each shard. Their slots are spread evenly, as those of the masters are. */
export const shards: readonly string[] = createTags();

/** The keys of Redis that belong to one row. They share a hash tag. */
export interface RowKeys {
  /** A hash with the columns of the row. */
  row: string;
  /** A sorted set with the ids of the same kind and shard. */
  ids: string;
  /** A sorted set with all rows of the shard, by the time when they expire. */
  expiries: string;
  /** The name of the row in `expiries`. */
  member: string;
}

export type KeyNames = ReturnType<typeof createKeyNames>;

export function createKeyNames(prefix: string) {
  const base = (shard: string) => `${prefix}:{${shard}}`;
  const expiriesOf = (shard: string) => `${base(shard)}:expiries`;

  function keysOf(shard: string, encodedKind: string, id: string): RowKeys {
    const member = `${encodedKind}:${id}`;
    return {
      row: `${base(shard)}:row:${member}`,
      ids: `${base(shard)}:ids:${encodedKind}`,
      expiries: expiriesOf(shard),
      member,
    };
  }

  return {
    ofRow: (kind: string, id: string) => keysOf(shardOf(kind, id), encodeURIComponent(kind), id),
    ofMember(shard: string, member: string): RowKeys & { id: string } {
      // An encoded kind contains no colon.
      const end = member.indexOf(":");
      const id = member.slice(end + 1);
      return { ...keysOf(shard, member.slice(0, end), id), id };
    },
    /** Returns the keys of a kind in a shard; `row` is what those of its rows begin with. */
    ofKind: (shard: string, kind: string) => keysOf(shard, encodeURIComponent(kind), ""),
    idsOf: (shard: string, kind: string) => `${base(shard)}:ids:${encodeURIComponent(kind)}`,
    expiriesOf,
    /** The key that holds the version of the format. */
    format: `${prefix}:format`,
  };
}

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
