import { base64url } from "jose";
import type { ReportProblem } from "../../config/problems.ts";
import { checkValue, type Schema } from "../../config/schema.ts";
import type { Context } from "../../issuer/context.ts";
import type { User } from "../../model/user.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { importPasskey, passkeyAlgorithms } from "./passkey_keys.ts";
import { findOwner, isStoredFor, maxPasskeys, type Passkey, writePasskeys } from "./passkeys.ts";

/** What a file of users has of the passkeys of one. None of it is secret. */
interface MovedPasskeys {
  /** The user handle, which authenticators keep. */
  handle: string;
  /** Whether they alone sign the user in. */
  only?: boolean;
  list: Omit<Passkey, "key">[];
}

const [text, flag, count] = [
  { type: "string" },
  { type: "boolean" },
  { type: "integer", minimum: 0 },
] as const;

const required = {
  ...{ id: text, publicKey: text, algorithm: { type: "integer", minimum: -257 }, rpId: text },
  ...{ counter: count, mayBeBackedUp: flag, isBackedUp: flag },
  ...{ transports: { type: "array", items: text }, name: text, createdAt: count },
  userAgent: { type: "map", values: text },
} as const satisfies Record<string, Schema>;

const movedSchema: Schema = {
  type: "object",
  required: ["handle", "list"],
  members: {
    handle: text,
    only: flag,
    list: {
      type: "array",
      items: {
        type: "object",
        required: Object.keys(required),
        members: { ...required, usedAt: count },
      },
    },
  },
};

/** Returns what a file of users has of the passkeys of one; undefined if there are none. */
export async function exportPasskeys(ctx: Context, user: User): Promise<MovedPasskeys | undefined> {
  const { handle, passkeys } = await findOwner(ctx, user) ?? { passkeys: [] };
  if (handle === undefined || passkeys.length === 0) return undefined;
  const list = passkeys.map(({ key: _, ...passkey }) => passkey);
  return { handle, ...user.passkeyOnly && { only: true }, list };
}

/** Reports what is wrong with passkeys of a file. */
export async function checkMoved(value: unknown, report: ReportProblem): Promise<void> {
  let isWrong = false;
  checkValue(movedSchema, value, "passkeys", (path, problem) => {
    isWrong = true;
    report(path, problem);
  });
  if (isWrong) return;
  const { handle, list } = value as MovedPasskeys;
  if (!/^[\w-]{1,86}$/.test(handle)) {
    report("passkeys.handle", "must be 1 to 64 bytes in base64url");
  }
  if (list.length === 0 || list.length > maxPasskeys) {
    report("passkeys.list", `must have 1 to ${maxPasskeys} passkeys`);
  }
  if (new Set(list.map(({ id }) => id)).size < list.length) {
    report("passkeys.list", "must not repeat an id");
  }
  for (const [at, { publicKey, algorithm }] of list.entries()) {
    const isKnown = passkeyAlgorithms.includes(algorithm);
    const key = isKnown && /^[\w-]+$/.test(publicKey) &&
      await importPasskey(Uint8Array.from(base64url.decode(publicKey)), algorithm);
    if (!key) report(`passkeys.list[${at}]`, "must have a key of an accepted algorithm");
  }
}

/**
 * Stores the passkeys of a user who is about to be added, whose handle becomes that of the file.
 * Returns the user; undefined if any of it belongs to another one. It may be repeated.
 */
export async function importPasskeys(
  ctx: Context,
  added: User,
  value: unknown,
): Promise<User | undefined> {
  const { handle, only = false, list } = value as MovedPasskeys;
  const user = { ...added, instance: handle, ...only && { passkeyOnly: only } };
  const passkeys = await Promise.all(
    list.map(async (each) => ({ ...each, key: await sha256(each.id) })),
  );
  if (await isStoredFor(ctx, user, passkeys)) return user;
  const owner = { user, handle, row: undefined, passkeys: [], changes: [] };
  const changed = passkeys.map((each) => ["added", each] as const);
  return await writePasskeys(ctx, owner, { passkeys }, changed) ? user : undefined;
}
