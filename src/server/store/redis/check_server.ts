import { messageOf } from "../../util/text/error_message.ts";
import { UnsuitableServerError } from "../store_errors.ts";
import type { RedisConnection, RedisNode } from "./connection.ts";
import { runScript } from "./row_access.ts";
import { commandsInUse, type Scripts } from "./scripts.ts";
import { askIfAllowed, infoFields } from "./server_role.ts";

/**
 * The version of the format in which this program stores rows. It reads all earlier ones: commands
 * of the first would add users to whom no row of `user-claim` leads.
 */
const formatVersion = 2;

/** What a store is marked with: whose it is, and the version of its format. */
const formatMark = /^hallpass (\d+)$/;

/** What a server reports about itself. */
export interface ServerKind {
  /** `standalone`, `cluster` or `sentinel`. */
  mode: string;
  /** `master` or `replica`. */
  role: string;
}

export async function readServerKind(connection: RedisConnection): Promise<ServerKind> {
  const fields = pairs(await connection.send("", ["HELLO"]));
  return { mode: fields.get("mode") ?? "standalone", role: fields.get("role") ?? "master" };
}

/** Checks that the user may run the commands that the store needs. */
export async function checkPrivileges(
  connection: RedisConnection,
  { denied }: Scripts,
  key: string,
): Promise<void> {
  const commands = await runScript(connection, denied, [key], commandsInUse) as string[];
  if (commands.length === 0) return;
  throw new UnsuitableServerError(`the user may not run ${commands.join(", ")} on ${key}`);
}

/** Checks the version of the rows in the store, and marks a new or earlier store with ours. */
export async function checkFormat(connection: RedisConnection, key: string): Promise<void> {
  const ownMark = `hallpass ${formatVersion}`;
  await connection.send(key, ["SET", key, ownMark, "NX"]);
  const mark = await connection.send(key, ["GET", key]).catch((cause) => {
    if (messageOf(cause).startsWith("WRONGTYPE")) return undefined;
    throw cause;
  });
  const [, version] = formatMark.exec(`${mark}`) ?? [];
  if (mark === ownMark) return;
  if (Number(version) < formatVersion) {
    return void await connection.send(key, ["SET", key, ownMark]);
  }
  throw new UnsuitableServerError(
    version === undefined
      ? `the key ${key} is of another application, or in a form that this version does not read. ` +
        "Name another prefix: ?prefix=NAME"
      : `its rows have version ${version} of the format, and this program reads version ` +
        `${formatVersion}. Use the version of Hallpass that wrote them`,
  );
}

/**
 * Checks that no server drops rows when its memory is full. A lost mark of a used code would let
 * the code be used again.
 */
export async function checkEviction(nodes: readonly RedisNode[]): Promise<void> {
  for (const node of nodes) {
    const policy = (await readSettings(node)).get("maxmemory-policy");
    if (policy === undefined || policy === "noeviction") continue;
    throw new UnsuitableServerError(
      `it drops rows when its memory is full (maxmemory-policy ${policy}). ` +
        "Set maxmemory-policy noeviction",
    );
  }
}

/** Returns what a crash of a server may lose, as warnings for the operator. */
export async function durabilityWarnings(nodes: readonly RedisNode[]): Promise<string[]> {
  const warnings = await Promise.all(nodes.map(async (node) => {
    const settings = await readSettings(node);
    return durabilityWarning(settings.get("appendonly"), settings.get("appendfsync"));
  }));
  return [...new Set(warnings)].filter((warning) => warning !== undefined);
}

const advice = "Set appendonly yes and appendfsync always.";

function durabilityWarning(
  appendOnly: string | undefined,
  appendFsync: string | undefined,
): string | undefined {
  if (appendOnly === "no") {
    return "Redis keeps no append-only file. If it crashes, it loses what was written since its " +
      `last snapshot, and used codes and refresh tokens become valid again. ${advice}`;
  }
  if (appendFsync === undefined) {
    return "Redis does not show whether it writes to the disk before it responds. " +
      "Check it there: appendonly must be yes, and appendfsync always.";
  }
  if (appendFsync === "always") return undefined;
  return `Redis responds before it writes to the disk (appendfsync ${appendFsync}). If its ` +
    `machine crashes, the last used codes and refresh tokens become valid again. ${advice}`;
}

/** Returns warnings about writes that a failover to a replica may undo. */
export async function failoverWarnings(nodes: readonly RedisNode[]): Promise<string[]> {
  const alone = await Promise.all(nodes.map(writesWithoutReplicas));
  if (!alone.includes(true)) return [];
  return [
    "A failover of Redis may undo acknowledged writes, " +
    "because a master without its replicas keeps writing (min-replicas-to-write 0): sign-outs " +
    "and revocations, used codes, new users and clients. Set min-replicas-to-write 1.",
  ];
}

/** Whether a master has replicas, and would accept writes without them. */
async function writesWithoutReplicas(node: RedisNode): Promise<boolean> {
  const info = infoFields(await askIfAllowed(node, ["INFO", "replication"]));
  // The second field exists only if the setting is not 0. Many hosts forbid CONFIG.
  return Number(info.get("connected_slaves")) > 0 && !info.has("min_slaves_good_slaves");
}

/** Reads the settings that matter. Where CONFIG is forbidden, INFO knows some of them. */
async function readSettings(node: RedisNode): Promise<ReadonlyMap<string, string | undefined>> {
  const names = ["maxmemory-policy", "appendonly", "appendfsync"];
  const replies = await Promise.all(
    names.map((name) => askIfAllowed(node, ["CONFIG", "GET", name])),
  );
  if (!replies.includes(undefined)) {
    return new Map(replies.flatMap((reply) => [...pairs(reply)]));
  }
  const info = infoFields(await askIfAllowed(node, ["INFO"]));
  return new Map([
    ["maxmemory-policy", info.get("maxmemory_policy")],
    ["appendonly", info.get("aof_enabled") === "0" ? "no" : undefined],
  ]);
}

/** Reads a list of names and values in turn. */
function pairs(reply: unknown): Map<string, string> {
  const fields = Array.isArray(reply) ? reply.map(String) : [];
  const names = fields.filter((_, n) => n % 2 === 0);
  return new Map(names.map((name, n) => [name, fields[2 * n + 1] ?? ""]));
}
