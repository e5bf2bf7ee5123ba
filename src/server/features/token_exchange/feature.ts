import { settingsPart } from "../../config/feature_config.ts";
import type { Feature } from "../../feature.ts";
import { idJagTokenType, tokenExchangeGrantType } from "../../protocol/grant_types.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import { checkExchange, checkExchangeAudiences } from "./check_exchange.ts";
import { exchangePolicies, keepPolicies, readSettings } from "./config.ts";

const { exchangeToken } = lazyModule(() => import("./token_exchange.ts"));

/** It has no settings of the server, but compares those of its clients. */
const noSettings = settingsPart({ type: "object", members: {} });

/** Clients exchange tokens for others (RFC 8693), or for assertions to another domain (ID-JAG). */
export const tokenExchange: Feature = {
  name: "token exchange",
  config: {
    server: {
      ...noSettings,
      check: (_, { clients }, report) => checkExchangeAudiences(clients.list(), report),
    },
    clients: {
      ...exchangePolicies,
      check: checkExchange,
      keep: keepPolicies,
    },
  },
  grants: [{ type: tokenExchangeGrantType, redeem: exchangeToken }],
  secrets: ["subject_token", "actor_token"],
  parameters: ["subject_token_type", "actor_token_type", "requested_token_type"],
  metadata: ({ clients }) =>
    clients.list().some((client) => (readSettings(client).idJag ?? []).length > 0)
      ? { identity_chaining_requested_token_types_supported: [idJagTokenType] }
      : {},
};
