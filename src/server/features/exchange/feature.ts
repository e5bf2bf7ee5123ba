import { settingsPart } from "../../config/feature_config.ts";
import type { Feature } from "../../feature.ts";
import type { Grant } from "../../grants/grant.ts";
import { idJagTokenType, tokenExchangeGrantType } from "../../protocol/grant_types.ts";
import { once } from "../../util/time/promises.ts";
import { checkExchange, checkExchangeAudiences } from "./check_exchange.ts";
import { exchangePolicies, keepPolicies, readSettings } from "./config.ts";

const load = once(() => import("./token_exchange.ts"));

const grant: Grant = {
  type: tokenExchangeGrantType,
  redeem: async (ctx, request) => await (await load()).tokenExchangeGrant.redeem(ctx, request),
};

/** It has no settings of the server, but compares those of its clients. */
const noSettings = settingsPart({ schema: { type: "object", required: [], members: {} } });

/** Clients exchange tokens for others (RFC 8693), or for assertions to another domain (ID-JAG). */
export const exchange: Feature = {
  name: "token exchange",
  config: {
    server: {
      ...noSettings,
      check: ({ clients }, _offer, report) => checkExchangeAudiences(clients, report),
    },
    clients: {
      ...exchangePolicies,
      check: checkExchange,
      keep: keepPolicies,
    },
  },
  grants: [grant],
  metadata: ({ configuredClients }) =>
    configuredClients().some((client) => (readSettings(client).idJag ?? []).length > 0)
      ? { identity_chaining_requested_token_types_supported: [idJagTokenType] }
      : {},
};
