/** A server that is asked about itself. */
interface AskedServer {
  send(command: readonly string[]): Promise<unknown>;
}

/** How long a server that became a replica may go unnoticed, in milliseconds. */
const roleInterval = 2 * 1000;

/**
 * Creates the check of a server that was a master a moment ago. A server that is made a replica
 * keeps its connections, and a program that only reads would never learn that it reads the past.
 * The question goes out together with a command, so it costs no time, once in two seconds.
 */
export function createRoleCheck(server: AskedServer, now: () => number) {
  let askedAt = now();
  let latest = Promise.resolve();

  async function ask(): Promise<void> {
    const role = await readRole(server);
    // A user who may not ask is warned of when the store is opened.
    if (role === undefined) askedAt = Infinity;
    if (role === undefined || role === "master") return;
    askedAt = -Infinity;
    throw new Error("READONLY The server is a replica now, which only reads.");
  }

  return {
    /** Rejects if it is a replica, which may lag behind, or no longer follow anything. */
    check(): Promise<void> {
      if (now() - askedAt >= roleInterval) {
        askedAt = now();
        latest = ask();
      }
      return latest;
    },
  };
}

/** Returns whether a server is a `master`; undefined if the user may not know. */
async function readRole(server: AskedServer): Promise<string | undefined> {
  const role = await askIfAllowed(server, ["ROLE"]);
  if (Array.isArray(role)) return String(role[0]);
  return infoFields(await askIfAllowed(server, ["INFO", "replication"])).get("role");
}

/** Returns what the operator should know about servers that do not tell their role. */
export async function roleWarnings(servers: readonly AskedServer[]): Promise<string[]> {
  const roles = await Promise.all(servers.map(readRole));
  if (!roles.includes(undefined)) return [];
  return [
    "Redis lets this user run neither ROLE nor INFO. If the server is made a replica, that is " +
    "noticed with the next write only; until then, what was revoked at the new master may still " +
    "be accepted. Allow it: ACL SETUSER NAME +role.",
  ];
}

/** Returns undefined where the command is forbidden. */
export async function askIfAllowed({ send }: AskedServer, command: string[]): Promise<unknown> {
  try {
    return await send(command);
  } catch (cause) {
    if (cause instanceof Error && /^(NOPERM|ERR unknown command)/.test(cause.message)) {
      return undefined;
    }
    throw cause;
  }
}

/** Reads lines such as `maxmemory_policy:noeviction`. */
export function infoFields(info: unknown): Map<string, string> {
  const lines = String(info ?? "").split("\r\n").filter((line) => line.includes(":"));
  return new Map(lines.map((line) => {
    const end = line.indexOf(":");
    return [line.slice(0, end), line.slice(end + 1)];
  }));
}
