import * as clients from "../../../src/administration/clients.ts";
import { setClaims } from "../../../src/administration/user_claims.ts";
import * as users from "../../../src/administration/users.ts";
import { findClient } from "../../../src/server/issuer/clients/clients.ts";
import type { Context } from "../../../src/server/issuer/context.ts";
import { findUsersBy } from "../../../src/server/issuer/users/find_users.ts";
import { findUser } from "../../../src/server/issuer/users/users.ts";
import { answerOfCall } from "../answers.ts";
import { type Credential, isHeldByDora, isIssued, ofClient, ofUser } from "../credentials.ts";
import type { Operation } from "../operation.ts";
import { redirectUri, secretOf } from "../requests.ts";

const appConfig = { secret: secretOf("app"), redirectUris: [redirectUri] };

const finn = { name: "finn", password: "finn", claims: { email: "finn@example.org" } };

/** An operation of a command, and where it is judged. */
type Command = (ctx: Context) => Promise<unknown>;

/** What an operator does with the user `dora` and the client `app`. */
export const directoryOperations: readonly Operation[] = [
  {
    ...userCommand("disable user", (ctx) => users.disable(ctx, "dora")),
    ends: isHeldByDora,
    mayEnd: (credential) => isHeldByDora(credential) || credential.name === "consent",
    holds: async ({ server: { context } }) => await findUser(context, "dora") === undefined,
    undoneBy: ["enable user"],
    revive: ({ server: { context } }) => users.enable(context, "dora"),
  },
  {
    ...userCommand("enable user", (ctx) => users.enable(ctx, "dora")),
    holds: async ({ server: { context } }) => await findUser(context, "dora") !== undefined,
    undoneBy: ["disable user", "remove user"],
  },
  {
    ...userCommand("set password", (ctx) => users.setPassword(ctx, "dora", "another")),
    ends: isHeldByDora,
    async holds({ server: { context } }) {
      const user = await context.records.users.find("dora");
      return await context.settings.policies.passwords.verify("another", user?.passwordHash ?? "");
    },
    undoneBy: ["remove user"],
  },
  ...["new", "other"].map((word): Operation => ({
    ...userCommand(
      `set ${word} address`,
      (ctx) => setClaims(ctx, "dora", () => ({ email: `${word}@example.org` })),
    ),
    async holds({ server: { context } }) {
      const found = await findUsersBy(context, "email", `${word}@example.org`);
      return found.some(({ name }) => name === "dora");
    },
    undoneBy: ["set new address", "set other address", "remove user"]
      .filter((name) => name !== `set ${word} address`),
  })),
  { ...userCommand("sign user out", (ctx) => users.signOut(ctx, "dora")), ends: isHeldByDora },
  {
    ...userCommand("remove user", (ctx) => users.remove(ctx, "dora")),
    ends: ofUser("dora"),
    holds: async ({ server: { context: { records } } }) =>
      await records.users.find("dora") === undefined,
    revive: async ({ server: { context } }) =>
      void await users.add(context, { name: "dora", password: "dora" }),
  },
  {
    ...command("add user", (ctx) => users.add(ctx, finn)),
    spends: "name of the user",
    locks: ["names"],
    holds: async ({ server: { context } }) =>
      (await findUsersBy(context, "email", finn.claims.email)).length === 1,
  },
  {
    ...command("add client", (ctx) => clients.add(ctx, { ...appConfig, id: "new" })),
    spends: "name of the client",
    locks: ["names"],
    holds: async ({ server: { context } }) => await findClient(context, "new") !== undefined,
  },
  {
    ...clientCommand("disable client", (ctx) => clients.disable(ctx, "app")),
    ends: isHeldByApp,
    mayEnd: ({ client, kind }) => client === "app" && kind !== "entry",
    holds: async ({ server: { context } }) => await findClient(context, "app") === undefined,
    undoneBy: ["enable client"],
    revive: ({ server: { context } }) => clients.enable(context, "app"),
  },
  {
    ...clientCommand("enable client", (ctx) => clients.enable(ctx, "app")),
    holds: async ({ server: { context } }) => await findClient(context, "app") !== undefined,
    undoneBy: ["disable client", "remove client"],
  },
  {
    ...clientCommand("remove client", (ctx) => clients.remove(ctx, "app")),
    ends: ofClient("app"),
    holds: async ({ server: { context: { records } } }) =>
      await records.clients.find("app") === undefined,
    revive: async ({ server: { context } }) =>
      void await clients.add(context, { ...appConfig, id: "app" }),
  },
];

function command(name: string, act: Command): Pick<Operation, "name" | "run"> {
  return { name, run: ({ server: { context } }) => answerOfCall(act(context)) };
}

function userCommand(name: string, act: Command): Operation {
  return { ...command(name, act), needs: ["user entry"], locks: ["user"] };
}

function clientCommand(name: string, act: Command): Operation {
  return { ...command(name, act), needs: ["client entry"], locks: ["client"] };
}

function isHeldByApp(credential: Credential): boolean {
  return credential.client === "app" && isIssued(credential);
}
