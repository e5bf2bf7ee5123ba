import { maintainKeys, retireKey, rotateKey } from "../../../src/server/issuer/keys/rotate_keys.ts";
import { answerOfCall } from "../answers.ts";
import type { Credential } from "../credentials.ts";
import type { Operation } from "../operation.ts";
import type { ServerNode } from "../server_node.ts";

/** What happens to the keys, and what servers do by themselves. */
export const keyOperations: readonly Operation[] = [
  {
    name: "drop key",
    settings: { jwt: true },
    ends: (credential) => isAccessToken(credential) && !credential.isNew,
    // A token of that moment may be signed with either key.
    mayEnd: isAccessToken,
    run: (node) => answerOfCall(dropFirstKey(node)),
    holds: async (node) => !(await keyIds(node)).includes(firstKey),
  },
  {
    name: "rotate keys",
    settings: { jwt: true },
    run: ({ server: { context } }) => answerOfCall(rotateKey(context)),
    holds: async (node) => (await keyIds(node)).some((id) => id !== firstKey),
  },
  {
    name: "sweep and maintain keys",
    run: ({ server: { context } }) =>
      answerOfCall(context.records.sweep().then(() => maintainKeys(context))),
  },
];

const firstKey = "ES256";

async function dropFirstKey({ server: { context } }: ServerNode): Promise<void> {
  const key = (await context.keys.list()).find(({ id }) => id === firstKey);
  if (key) await retireKey(context, key.kid);
}

async function keyIds({ server: { context: { records } } }: ServerNode): Promise<string[]> {
  return (await records.keys.list()).map(([id]) => id);
}

function isAccessToken({ kind }: Credential): boolean {
  return kind === "access token";
}
