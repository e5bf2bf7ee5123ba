import type { ClientConfig } from "../../../src/server/features.ts";
import { tokenExchangeGrantType } from "../../../src/server/protocol/grant_types.ts";
import type { FeatureFixtures } from "../../support/feature_fixtures.ts";
import { basic, type Fields, service } from "../../support/flow_kit.ts";

const secret = "a-secret-of-the-exchanging-client-with-52-characters";
const api = "https://api.example";

/** A client that may exchange tokens for those of an API. */
export const exchanging: ClientConfig = {
  id: "exchanging",
  secret,
  grantTypes: ["client_credentials", tokenExchangeGrantType],
  resources: [api],
  tokenExchange: { audiences: [api], impersonation: true },
};

export const asExchanging: Record<string, string> = basic(exchanging.id, secret);

const redirectUris = ["https://hallpass.test/authorized"];

/** Clients of which each breaks another rule. */
const otherClients: ClientConfig[] = [
  exchangingBy("exchanging", { impersonation: true, delegation: true }),
  exchangingBy("delegating", { delegation: true }),
  exchangingBy("impersonating", { impersonation: true }),
  exchangingBy("choosy", { impersonation: true, subjects: ["demo-web"] }),
  { ...exchangingBy("writing", { impersonation: true }), scopes: ["write"] },
  {
    id: "gateway",
    secret: "s",
    redirectUris,
    grantTypes: ["authorization_code", "refresh_token", tokenExchangeGrantType],
    idJag: [
      {
        audience: "https://chat.example",
        resource: "https://chat.example/mcp",
        clientId: "gateway-there",
        scopes: ["chat.read"],
      },
      { audience: "https://closed.example", clientId: "a", scopes: ["a"], users: { bob: ["a"] } },
      { audience: "https://gone.example", clientId: "a", scopes: ["a"], relyingParty: "gone" },
    ],
  },
];

function exchangingBy(
  id: string,
  policy: Omit<NonNullable<ClientConfig["tokenExchange"]>, "audiences">,
): ClientConfig {
  return {
    id,
    secret: "s",
    redirectUris,
    resources: [api],
    grantTypes: ["authorization_code", "client_credentials", tokenExchangeGrantType],
    tokenExchange: { audiences: [api], ...policy },
  };
}

/** Returns the fields of a request that exchanges an access token. */
export function exchangeOf(subject_token: string): Fields {
  return {
    grant_type: tokenExchangeGrantType,
    subject_token,
    subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
  };
}

export const exchangeFixtures: FeatureFixtures = {
  name: "token exchange",
  clients: [exchanging],
  otherClients,
  grants: {
    async [tokenExchangeGrantType](kit) {
      const { access_token } = await kit.tokens();
      return (await kit.token(exchangeOf(access_token), service)).body;
    },
  },
  flows: {
    async "token exchange"(kit) {
      const own = await kit.token(
        { grant_type: "client_credentials", resource: api },
        asExchanging,
      );
      const fields = { ...exchangeOf(own.body.access_token), audience: api };
      return (await kit.token(fields, asExchanging)).status;
    },
  },
};
