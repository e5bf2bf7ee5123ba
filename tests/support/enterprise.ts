import type {
  ClientConfig,
  Config,
  IdJagConfig,
  TrustedIssuerConfig,
} from "../../src/server/features.ts";
import { signJwt } from "../../src/server/issuer/keys/own_jwt.ts";
import {
  idJagTokenType,
  jwtBearerGrantType,
  tokenExchangeGrantType,
} from "../../src/server/protocol/grant_types.ts";
import type { UserActions } from "./browser.ts";
import { basic, type Fields, type Kit, openStrictKit, type ReadResponse } from "./kit.ts";
import { present } from "./present.ts";
import { hasFeature } from "./where_feature.ts";
import type { Tokens } from "./wire.ts";

export const idTokenType = "urn:ietf:params:oauth:token-type:id_token";
export const refreshTokenType = "urn:ietf:params:oauth:token-type:refresh_token";

/** The identity provider of a company, and the authorization server of a chat, which trusts it. */
export const company = "https://company.example";
export const chat = "https://chat.example";
export const mcp = "https://chat.example/mcp";
export const files = "https://chat.example/files";

/** The client at both servers, and other ones. */
export const agent: Record<string, string> = basic("agent", "s");
export const agentThere: Record<string, string> = basic("agent-there", "t");

const redirectUris = [`${company}/authorized`];
const grantTypes = ["authorization_code", "refresh_token", tokenExchangeGrantType];

/** What the client may get ID-JAGs for. */
export const entries: IdJagConfig[] = [
  { audience: chat, resource: mcp, clientId: "agent-there", scopes: ["chat.read", "chat.write"] },
  { audience: chat, resource: files, clientId: "agent-there", scopes: ["chat.read"] },
  {
    audience: "https://wiki.example",
    clientId: "agent-wiki",
    scopes: ["wiki.read", "wiki.write"],
    users: { alice: ["wiki.read", "wiki.write"], bob: ["wiki.read"] },
  },
];

const isIssuer = hasFeature("token exchange");

/** The client of a company that issues no ID-JAGs. */
const plainClients: ClientConfig[] = [{ id: "agent", secret: "s", redirectUris }];

const agentConfig: ClientConfig = {
  id: "agent",
  secret: "s",
  redirectUris,
  grantTypes,
  idJag: entries,
};

const otherClients: ClientConfig[] = [
  {
    id: "other",
    secret: "s",
    redirectUris,
    grantTypes,
    idJag: [{ audience: chat, resource: mcp, clientId: "other-there", scopes: ["chat.admin"] }],
  },
  { id: "without", secret: "s", redirectUris, grantTypes, tokenExchange: exchanging() },
  { id: "no-grant", secret: "s", redirectUris },
  { id: "spa", redirectUris },
];

const chatClients: ClientConfig[] = [
  {
    id: "agent-there",
    secret: "t",
    grantTypes: [jwtBearerGrantType],
    scopes: ["openid", "chat.read", "chat.write"],
    defaultScope: ["chat.read"],
  },
  { id: "other-there", secret: "t", grantTypes: [jwtBearerGrantType], scopes: ["chat.admin"] },
  { id: "unlisted", secret: "t", grantTypes: [jwtBearerGrantType] },
];

function exchanging(): NonNullable<ClientConfig["tokenExchange"]> {
  return { audiences: [company], impersonation: true };
}

/** A company and a chat, and what the client does between them. */
export interface Enterprise {
  idp: Kit;
  chat: Kit;
  /** Lets time pass at both. */
  advance(seconds: number): void;
  /** Signs a user in at the client, and returns the tokens. */
  signIn(asked?: Fields, actions?: UserActions, client?: string): Promise<Tokens>;
  /** Requests an ID-JAG with an ID token. */
  request(token: string, changes?: Fields, headers?: Record<string, string>): Promise<ReadResponse>;
  /** Redeems an ID-JAG at the chat. */
  redeem(jwt: string, changes?: Fields, headers?: Record<string, string>): Promise<ReadResponse>;
  /** Signs in, and returns an ID-JAG for the chat. */
  idJag(changes?: Fields, headers?: Record<string, string>): Promise<string>;
}

/** The changes of a test to the two servers. */
export interface EnterpriseChanges {
  idp?: Partial<Config>;
  chat?: Partial<Config>;
  /** The id of the client at the chat. */
  clientId?: string;
  /** How the chat trusts the company. */
  trust?: Partial<TrustedIssuerConfig>;
}

/** Returns the clients of a company whose client has this id at the chat. */
function companyClients(clientId: string): ClientConfig[] {
  if (!isIssuer) return plainClients;
  const idJag = entries.map((each) => each.audience === chat ? { ...each, clientId } : each);
  return [{ ...agentConfig, idJag }, ...otherClients];
}

/** Opens a company and a chat. */
export function openEnterprise(changes: EnterpriseChanges = {}): Enterprise {
  const { clientId = "agent-there" } = changes;
  const idp = openStrictKit({
    issuer: company,
    clients: companyClients(clientId),
    ...isIssuer && { grantTypes: [...grantTypes, "client_credentials"] },
    scopes: { openid: "Sign in", email: "Email", offline_access: "Offline", read: "Read" },
    ...changes.idp,
  });
  const there = openStrictKit({
    issuer: chat,
    resources: [mcp, files],
    scopes: { openid: "Sign in", "chat.read": "Read", "chat.write": "Write", "chat.admin": "All" },
    fetch: async (url) => await idp.server.fetch(new Request(url)),
    ...hasFeature("assertions") && trustInCompany(changes),
    ...changes.chat,
  });
  return withClient(idp, there, clientId);
}

/** Lets the chat redeem the ID-JAGs of the company. */
function trustInCompany({ trust }: EnterpriseChanges): Partial<Config> {
  return {
    clients: chatClients,
    grantTypes: [jwtBearerGrantType],
    trustedIssuers: [{
      issuer: company,
      jwksUri: `${company}/oauth2/jwks`,
      clients: ["agent-there", "other-there"],
      ...trust,
    }],
  };
}

function withClient(idp: Kit, there: Kit, clientId: string): Enterprise {
  const enterprise: Enterprise = {
    idp,
    chat: there,
    advance(seconds) {
      idp.clock.advance(seconds);
      there.clock.advance(seconds);
    },
    async signIn(asked = {}, actions, client = "agent") {
      const code = await idp.code({ client_id: client, scope: "openid email", ...asked }, actions);
      return (await idp.redeem(code, {}, basic(client, "s"))).body;
    },
    async request(subject_token, changes = {}, headers = agent) {
      const fields = { subject_token, subject_token_type: idTokenType, ...changes };
      return await idp.token({ ...requestFields, ...fields }, headers);
    },
    async redeem(assertion, changes = {}, headers = agentThere) {
      return await there.token({ grant_type: jwtBearerGrantType, assertion, ...changes }, headers);
    },
    async idJag(changes, headers) {
      if (!isIssuer) return await signIdJag(idp, clientId);
      const { id_token } = await enterprise.signIn();
      return present((await enterprise.request(id_token, changes, headers)).body.access_token);
    },
  };
  return enterprise;
}

/** Signs an ID-JAG as the company issues them. */
async function signIdJag({ server, clock }: Kit, client_id: string): Promise<string> {
  const iat = Math.floor(clock.now / 1000);
  return await signJwt(server.context, "RS256", "oauth-id-jag+jwt", {
    ...{ iss: company, sub: "alice", aud: chat, client_id },
    ...{ iat, exp: iat + 300, jti: crypto.randomUUID(), auth_time: iat, amr: ["pwd"] },
    ...{ resource: mcp, scope: "chat.read chat.write" },
  });
}

/** One of the two servers, with the other. */
export type EnterpriseKit = Kit & { enterprise: Enterprise };

/** Opens a company, whose refusals are tested. */
export function openCompany(): EnterpriseKit {
  const enterprise = openEnterprise();
  return Object.assign(enterprise.idp, { enterprise });
}

/** Opens a chat, whose refusals are tested. */
export function openChat(): EnterpriseKit {
  const enterprise = openEnterprise();
  return Object.assign(enterprise.chat, { enterprise });
}

/** The fields of a request for an ID-JAG, without the token. */
const requestFields = {
  grant_type: tokenExchangeGrantType,
  requested_token_type: idJagTokenType,
  audience: chat,
  resource: mcp,
};
