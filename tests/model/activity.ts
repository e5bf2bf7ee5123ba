import { deviceParts } from "../../src/server/features/device/parts.ts";
import { findActiveAuthorization } from "../../src/server/issuer/authorizations/active_authorization.ts";
import { hasConsented } from "../../src/server/issuer/authorizations/consents.ts";
import { findClient } from "../../src/server/issuer/clients/clients.ts";
import { findSession } from "../../src/server/issuer/sessions/sessions.ts";
import { findActiveToken } from "../../src/server/issuer/tokens/active_tokens.ts";
import { findUser } from "../../src/server/issuer/users/users.ts";
import { contextIn } from "../support/request_context.ts";
import type { Credential } from "./credentials.ts";
import type { ServerNode } from "./server_node.ts";

/** Whether a credential can be used now, as a server sees it. Looking changes nothing. */
export async function isActive(node: ServerNode, credential: Credential): Promise<boolean> {
  const { server: { context } } = node;
  const { kind, value } = credential;
  switch (kind) {
    case "access token":
    case "refresh token":
      return await findActiveToken(context, value) !== undefined;
    case "code":
      return await isCodeActive(node, value);
    case "device code":
      return await isDeviceCodeActive(node, value);
    case "session":
      return await findSession(contextIn(node.server, { Cookie: value })) !== undefined;
    case "consent":
      return await isConsentRemembered(node);
    case "client":
      return await findClient(context, value) !== undefined;
    case "entry": {
      const { users, clients } = context.records;
      return await (credential.user ? users : clients).find(value) !== undefined;
    }
  }
}

async function isCodeActive({ server: { context } }: ServerNode, code: string): Promise<boolean> {
  const row = await context.records.codes.get(code);
  if (!row || row.usedAt !== undefined) return false;
  return await findActiveAuthorization(context, row.value) !== undefined;
}

async function isDeviceCodeActive(
  { server: { context } }: ServerNode,
  code: string,
): Promise<boolean> {
  const row = await deviceParts(context).deviceCodes.get(code);
  if (!row || row.usedAt !== undefined) return false;
  const decision = await deviceParts(context).decisions.find(row.value.device.id);
  if (!decision || decision.denied) return false;
  return await findActiveAuthorization(context, decision) !== undefined;
}

async function isConsentRemembered({ server: { context } }: ServerNode): Promise<boolean> {
  const [user, client] = [await findUser(context, "dora"), await findClient(context, "app")];
  const access = { scope: ["read"], resources: [] };
  return user !== undefined && client !== undefined &&
    await hasConsented(context, { user }, client, access);
}
