import {
  add as addClient,
  disable as disableClient,
  enable as enableClient,
  remove as removeClient,
} from "../../../src/administration/clients.ts";
import { setClaims } from "../../../src/administration/user_claims.ts";
import {
  add as addUser,
  disable as disableUser,
  enable as enableUser,
  remove as removeUser,
  setPassword,
  signOut as signOutUser,
} from "../../../src/administration/users.ts";
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
    ...userCommand("disable user", (ctx) => disableUser(ctx, "dora")),
    ends: isHeldByDora,
    mayEnd: (credential) => isHeldByDora(credential) || credential.name === "consent",
    holds: async ({ server: { context } }) => await findUser(context, "dora") === undefined,
    undoneBy: ["enable user"],
    revive: ({ server: { context } }) => enableUser(context, "dora"),
  },
  {
    ...userCommand("enable user", (ctx) => enableUser(ctx, "dora")),
    holds: async ({ server: { context } }) => await findUser(context, "dora") !== undefined,
    undoneBy: ["disable user", "remove user"],
  },
  {
    ...userCommand("set password", (ctx) => setPassword(ctx, "dora", "another")),
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
      const users = await findUsersBy(context, "email", `${word}@example.org`);
      return users.some(({ name }) => name === "dora");
    },
    undoneBy: ["set new address", "set other address", "remove user"]
      .filter((name) => name !== `set ${word} address`),
  })),
  { ...userCommand("sign user out", (ctx) => signOutUser(ctx, "dora")), ends: isHeldByDora },
  {
    ...userCommand("remove user", (ctx) => removeUser(ctx, "dora")),
    ends: ofUser("dora"),
    holds: async ({ server: { context: { records } } }) =>
      await records.users.find("dora") === undefined,
    revive: async ({ server: { context } }) =>
      void await addUser(context, { name: "dora", password: "dora" }),
  },
  {
    ...command("add user", (ctx) => addUser(ctx, finn)),
    spends: "name of the user",
    locks: ["names"],
    holds: async ({ server: { context } }) =>
      (await findUsersBy(context, "email", finn.claims.email)).length === 1,
  },
  {
    ...command("add client", (ctx) => addClient(ctx, { ...appConfig, id: "new" })),
    spends: "name of the client",
    locks: ["names"],
    holds: async ({ server: { context } }) => await findClient(context, "new") !== undefined,
  },
  {
    ...clientCommand("disable client", (ctx) => disableClient(ctx, "app")),
    ends: isHeldByApp,
    mayEnd: ({ client, kind }) => client === "app" && kind !== "entry",
    holds: async ({ server: { context } }) => await findClient(context, "app") === undefined,
    undoneBy: ["enable client"],
    revive: ({ server: { context } }) => enableClient(context, "app"),
  },
  {
    ...clientCommand("enable client", (ctx) => enableClient(ctx, "app")),
    holds: async ({ server: { context } }) => await findClient(context, "app") !== undefined,
    undoneBy: ["disable client", "remove client"],
  },
  {
    ...clientCommand("remove client", (ctx) => removeClient(ctx, "app")),
    ends: ofClient("app"),
    holds: async ({ server: { context: { records } } }) =>
      await records.clients.find("app") === undefined,
    revive: async ({ server: { context } }) =>
      void await addClient(context, { ...appConfig, id: "app" }),
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
