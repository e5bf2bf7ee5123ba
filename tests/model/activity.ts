import { findActiveAuthorization } from "../../src/server/issuer/authorizations/active_authorization.ts";
import { hasConsented } from "../../src/server/issuer/authorizations/consents.ts";
import { findClient } from "../../src/server/issuer/clients/clients.ts";
import { findSession } from "../../src/server/issuer/sessions/sessions.ts";
import { findActiveToken } from "../../src/server/issuer/tokens/active_tokens.ts";
import { findUser } from "../../src/server/issuer/users/users.ts";
import { cibaActivity } from "../features/ciba/model_activity.ts";
import { deviceActivity } from "../features/device/model_activity.ts";
import { present } from "../support/present.ts";
import { contextIn } from "../support/request_context.ts";
import type { Credential } from "./credentials.ts";
import type { ServerNode } from "./server_node.ts";

/** Whether a credential of a kind can be used now. */
const activity: Readonly<Record<string, (node: ServerNode, value: string) => Promise<boolean>>> = {
  "access token": isTokenActive,
  "refresh token": isTokenActive,
  code: isCodeActive,
  session: async ({ server }, Cookie) =>
    await findSession(contextIn(server, { Cookie })) !== undefined,
  consent: isConsentRemembered,
  client: async ({ server: { context } }, id) => await findClient(context, id) !== undefined,
  ...deviceActivity,
  ...cibaActivity,
};

/** Whether one request over the back channel waits for a user, and its client can poll. */
export async function isAsked(node: ServerNode, name: string): Promise<boolean> {
  return await present(activity["asked user"])(node, name);
}

/** Whether a credential can be used now, as a server sees it. Looking changes nothing. */
export async function isActive(node: ServerNode, credential: Credential): Promise<boolean> {
  const { kind, value, user } = credential;
  if (kind !== "entry") return await present(activity[kind])(node, value);
  const { users, clients } = node.server.context.records;
  return await (user ? users : clients).find(value) !== undefined;
}

async function isTokenActive({ server: { context } }: ServerNode, token: string): Promise<boolean> {
  return await findActiveToken(context, token) !== undefined;
}

async function isCodeActive({ server: { context } }: ServerNode, code: string): Promise<boolean> {
  const row = await context.records.codes.get(code);
  if (!row || row.usedAt !== undefined) return false;
  return await findActiveAuthorization(context, row.value) !== undefined;
}

async function isConsentRemembered({ server: { context } }: ServerNode): Promise<boolean> {
  const [user, client] = [await findUser(context, "dora"), await findClient(context, "app")];
  const access = { scope: ["read"], resources: [] };
  return user !== undefined && client !== undefined &&
    await hasConsented(context, { user }, client, access);
}
