import { shardOf } from "./shards.ts";

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

/** Names the keys of one store. */
export interface KeyNames {
  ofRow(kind: string, id: string): RowKeys;
  /** Returns the keys of a row that `expiries` of a shard lists. */
  ofMember(shard: string, member: string): RowKeys & { id: string };
  /** Returns the keys of a kind in a shard; `row` is what those of its rows begin with. */
  ofKind(shard: string, kind: string): RowKeys;
  idsOf(shard: string, kind: string): string;
  expiriesOf(shard: string): string;
  /** The key that holds the version of the format. */
  format: string;
}

export function createKeyNames(prefix: string): KeyNames {
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
    ofRow: (kind, id) => keysOf(shardOf(kind, id), encodeURIComponent(kind), id),
    ofMember(shard, member) {
      // An encoded kind contains no colon.
      const end = member.indexOf(":");
      const id = member.slice(end + 1);
      return { ...keysOf(shard, member.slice(0, end), id), id };
    },
    ofKind: (shard, kind) => keysOf(shard, encodeURIComponent(kind), ""),
    idsOf: (shard, kind) => `${base(shard)}:ids:${encodeURIComponent(kind)}`,
    expiriesOf,
    format: `${prefix}:format`,
  };
}
