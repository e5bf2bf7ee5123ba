import type { Client } from "../../server/model/client.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";
import { scopesIn, unknownScopes, widenStoredClient } from "../lab_server/lab_scopes.ts";
import type { RespondingServer } from "../lab_server/replaceable_server.ts";
import { type RequestLayers, unless } from "../layers/layer.ts";

/** Creates the layer that adds unknown scopes to the server. */
export function createAnyScopeLayers(
  { server, powers }: { server: RespondingServer; powers: () => LabConfig },
): RequestLayers {
  return {
    admit: unless(() => !powers().anyScope, async (exchange, next) => {
      const { request } = exchange;
      const unknown = unknownScopes(exchange.server.context, request);
      if (unknown.length > 0) server.addScopes(unknown);
      exchange.server = server.current();
      const { context } = exchange.server;
      // Any other client registered for some scopes and no others.
      const mayWiden = ({ scopes }: Client) =>
        server.configuredScopes().every((token) => scopes.includes(token));
      await widenStoredClient(context, request.client, { requested: scopesIn(request), mayWiden });
      return await next();
    }),
  };
}
