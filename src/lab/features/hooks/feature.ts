import { errorBody, OAuthError } from "../../../server/protocol/oauth_error.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import { ofTenant } from "../../core/core_lab.ts";
import type { LabFeature } from "../../feature.ts";
import { type RequestLayers, unless } from "../../layers/layer.ts";
import type { TokenFollower } from "../../responses/change_tokens.ts";
import { failureResponse } from "../../responses/failure_response.ts";
import type { HookTools } from "./hook.ts";
import { createHooks, type Hooks } from "./hooks.ts";

/** Functions of a test that change what the server sends. */
export const hooks: LabFeature<HookTools> = {
  name: "hooks",
  open({ parts, lab }) {
    const own = createHooks();
    return {
      tools: {
        on: (point, change, { tenant, ...scope } = {}) =>
          ofTenant<HookTools>(tenant, own, lab().tenants).on(point, change, scope),
      },
      layers: createHookLayers(own, () => parts().dialect),
      remarks: () => ({ idleFaults: own.idle().map(({ point }) => `hook.${point}`) }),
      state: own,
    };
  },
};

/** Creates the layer in which the hooks of the test change responses. */
function createHookLayers(
  hooks: Hooks,
  dialect: () => (() => Promise<TokenFollower>) | undefined,
): RequestLayers {
  return {
    change: unless(() => !hooks.hasWork(), async (exchange, next) => {
      const made = await next();
      try {
        const { response, fired } = await hooks.apply(exchange, made);
        exchange.fired.push(...fired);
        await (await dialect()?.())?.follow(exchange.server, made, response);
        return response;
      } catch (failure) {
        exchange.failure = failure;
        // For a client in another process.
        const message = `A hook of the test failed: ${messageOf(failure)}`;
        const error = new OAuthError("server_error", message);
        return failureResponse(500, error.code, errorBody(error).error_description);
      }
    }),
  };
}
