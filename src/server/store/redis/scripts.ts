import { toHex } from "../../util/bytes/encoding.ts";

/** A script that Redis runs as one atomic step. */
export interface Script {
  text: string;
  /** Its SHA-1, by which Redis knows a script that it has run before. */
  digest: string;
}

/** The commands that the store sends, directly and in scripts. */
export const commandsInUse: readonly string[] = [
  ...["DEL", "EXISTS", "GET", "HMGET", "HSET", "PERSIST", "PEXPIREAT", "SET"],
  ...["TIME", "ZADD", "ZCOUNT", "ZRANGEBYLEX", "ZRANGEBYSCORE", "ZREM", "ZSCORE"],
];

const write = `
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'value', ARGV[3], 'expiresAt', ARGV[4])
  if ARGV[5] ~= '' then redis.call('HSET', KEYS[1], 'usedAt', ARGV[5]) end
  if ARGV[6] ~= '' then redis.call('PEXPIREAT', KEYS[1], ARGV[6]) end
  redis.call('ZADD', KEYS[2], 0, ARGV[1])
  redis.call('ZADD', KEYS[3], ARGV[4], ARGV[2])
  return 1`;

/** The scripts of the store, by name. */
export type Scripts = Record<
  ChangeName | "batch" | "sweep" | "denied",
  Script
>;

export type ChangeName = "put" | "replace" | "add" | "consume" | "delete";

/**
 * The keys of the scripts are those of one row: row, ids, expiries. Their arguments begin with its
 * id and its member in `expiries`.
 */
const changes: Record<ChangeName, string> = {
  /** Takes value, expiresAt, usedAt and the engine's own expiry; the last two may be empty. */
  put: write,
  /** Takes the same, and then value, expiresAt and usedAt of the row that must still be there. */
  replace: `
  local row = redis.call('HMGET', KEYS[1], 'value', 'expiresAt', 'usedAt')
  if row[1] ~= ARGV[7] or row[2] ~= ARGV[8] or (row[3] or '') ~= ARGV[9] then return 0 end${write}`,
  /** Takes what `put` takes. */
  add: `if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end${write}`,
  /** Takes usedAt, expiresAt and the engine's own expiry, which may be empty. */
  consume: `
  local row = redis.call('HMGET', KEYS[1], 'expiresAt', 'usedAt')
  if not row[1] or row[2] then return 0 end
  redis.call('HSET', KEYS[1], 'usedAt', ARGV[3], 'expiresAt', ARGV[4])
  redis.call('ZADD', KEYS[3], ARGV[4], ARGV[2])
  if ARGV[5] == '' then redis.call('PERSIST', KEYS[1])
  else redis.call('PEXPIREAT', KEYS[1], ARGV[5]) end
  return 1`,
  delete: `
  redis.call('ZREM', KEYS[2], ARGV[1])
  redis.call('ZREM', KEYS[3], ARGV[2])
  return redis.call('DEL', KEYS[1])`,
};

/**
 * Makes calls one after the other. Takes three keys for each call; its name, the number of its
 * arguments, and these: those of the script with that name. A list takes the keys of a shard and
 * kind, its range, its limit, and what the keys of its rows begin with.
 */
const batch = `
  local columns = {'value', 'expiresAt', 'usedAt'}
  local calls = {
    get = function(KEYS) return redis.call('HMGET', KEYS[1], unpack(columns)) end,
    list = function(KEYS, ARGV)
      local rows = {}
      for _, id in ipairs(redis.call('ZRANGEBYLEX', KEYS[2], ARGV[1], ARGV[2], 'LIMIT', 0, ARGV[3]))
      do table.insert(rows, {id, redis.call('HMGET', ARGV[4] .. id, unpack(columns))}) end
      return rows
    end,
    ${Object.entries(changes).map(([name, text]) => `${name} = function(KEYS, ARGV)${text} end`)}
  }
  local results = {}
  local at = 1
  for n = 1, #KEYS / 3 do
    local last = at + 1 + ARGV[at + 1]
    local keys = {KEYS[3 * n - 2], KEYS[3 * n - 1], KEYS[3 * n]}
    results[n] = calls[ARGV[at]](keys, {unpack(ARGV, at + 2, last)})
    at = last + 1
  end
  return results`;

const texts: Record<keyof Scripts, string> = {
  ...changes,
  batch,
  /** Takes a time. Deletes the row if it expired before, which may have changed meanwhile. */
  sweep: `
  local expiresAt = redis.call('ZSCORE', KEYS[3], ARGV[2])
  if not expiresAt or tonumber(expiresAt) >= tonumber(ARGV[3]) then return 0 end
  redis.call('DEL', KEYS[1])
  redis.call('ZREM', KEYS[2], ARGV[1])
  redis.call('ZREM', KEYS[3], ARGV[2])
  return 1`,
  /** Returns the commands of the arguments that the user may not run on the first key. */
  denied: `
  local denied = {}
  for _, command in ipairs(ARGV) do
    if redis.acl_check_cmd and not redis.acl_check_cmd(command, KEYS[1], '0', '0') then
      table.insert(denied, command)
    end
  end
  return denied`,
};

export async function createScripts(): Promise<Scripts> {
  const entries = Object.entries(texts).map(async ([name, text]) => [
    name,
    { text, digest: await sha1(text) },
  ]);
  return Object.fromEntries(await Promise.all(entries)) as Scripts;
}

async function sha1(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return toHex(new Uint8Array(digest));
}
