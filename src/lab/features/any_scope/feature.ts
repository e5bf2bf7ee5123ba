import type { Client } from "../../../server/model/client.ts";
import type { LabFeature } from "../../feature.ts";
import type { LabParts } from "../../handling/lab_parts.ts";
import type { CoreLabConfig } from "../../lab_server/core_lab_config.ts";
import { scopesIn, widenStoredClient } from "../../lab_server/lab_scopes.ts";
import { type RequestLayers, unless } from "../../layers/layer.ts";
import { switchable } from "../../leniencies/leniency.ts";
import type { AnyScopeSetting } from "./config.ts";

/** How long a scope may be that a request adds, in characters. */
const maxLength = 256;

/** Scopes that the server does not know, which requests add to it. */
export const anyScope: LabFeature = {
  name: "any_scope",
  leniency: switchable("anyScope"),
  open: ({ parts }) => ({
    serverHooks: ({ anyScope }: CoreLabConfig & AnyScopeSetting) =>
      anyScope
        ? { admits: { scope: (token) => !parts().server.configuredScopes().includes(token) } }
        : {},
    layers: createLayers(parts),
  }),
};

function createLayers(parts: () => LabParts): RequestLayers {
  return {
    admit: unless(() => !parts().config<AnyScopeSetting>().anyScope, async (exchange, next) => {
      const { server } = parts();
      const { request } = exchange;
      const { settings } = exchange.server.context;
      const requested = scopesIn(request);
      const unknown = requested.filter((token) =>
        token.length <= maxLength && !settings.scopes.has(token)
      );
      if (unknown.length > 0) server.addScopes(unknown);
      exchange.server = server.current();
      const { context } = exchange.server;
      // Any other client registered for some scopes and no others.
      const mayWiden = ({ scopes }: Client) =>
        server.configuredScopes().every((token) => scopes.includes(token));
      await widenStoredClient(context, request.client, requested, mayWiden);
      return await next();
    }),
  };
}
