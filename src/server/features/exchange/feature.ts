import type { FilledConfig } from "../../config/config_defaults.ts";
import { settingsPart } from "../../config/feature_config.ts";
import type { Feature } from "../../feature.ts";
import type { Grant } from "../../grants/grant.ts";
import { tokenExchangeGrantType } from "../../protocol/grant_types.ts";
import { idJagTokenType } from "../../protocol/id_jag.ts";
import { once } from "../../util/time/promises.ts";
import { checkIdJag } from "./check_id_jag.ts";
import { checkExchangeAudiences, checkTokenExchange } from "./check_token_exchange.ts";
import { exchangePolicies, keepPolicies, readSettings } from "./config.ts";

const load = once(() => import("./token_exchange.ts"));

const grant: Grant = {
  type: tokenExchangeGrantType,
  redeem: async (ctx, request) => await (await load()).tokenExchangeGrant.redeem(ctx, request),
};

/** What the server knows about its clients. It has no settings itself. */
const ofServer = settingsPart<{ issuesIdJags: boolean }>({
  schema: { type: "object", required: [], members: {} },
});

/** Clients exchange tokens for others (RFC 8693), or for assertions to another domain (ID-JAG). */
export const exchange: Feature = {
  name: "token exchange",
  config: {
    server: {
      ...ofServer,
      check: ({ clients }, _offer, report) => checkExchangeAudiences(clients, report),
      keep: (config) => ({ issuesIdJags: issuesIdJags(config) }),
    },
    clients: {
      ...exchangePolicies,
      check(config, offer, report) {
        checkTokenExchange(config, report);
        checkIdJag(config, offer, report);
      },
      keep: keepPolicies,
    },
  },
  grants: [grant],
  metadata: (settings) =>
    ofServer.of(settings).issuesIdJags
      ? { identity_chaining_requested_token_types_supported: [idJagTokenType] }
      : {},
};

/** Whether a configured client may get ID-JAGs. */
function issuesIdJags({ clients }: FilledConfig): boolean {
  return clients.some((client) => (readSettings(client).idJag ?? []).length > 0);
}
