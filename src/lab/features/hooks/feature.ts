import { ofTenant } from "../../core/tenant_config.ts";
import type { LabFeature } from "../../feature.ts";
import { createHookLayers } from "./hook_layers.ts";
import type { HookInternals, HookTools } from "./hook_tools.ts";
import { createHooks } from "./hooks.ts";
import { checkHookSetting } from "./lab_server.ts";

/** Functions and data of a test that change what the server sends. */
export const hooks: LabFeature<HookTools, HookInternals> = {
  name: "hooks",
  checkSettings: checkHookSetting,
  open({ parts, lab }) {
    const own = createHooks(() => parts().config().responseChanges ?? []);
    const of = (tenant: string | undefined) => ofTenant<HookTools>(tenant, own, lab().tenants);
    return {
      tools: {
        on: (point, change, { tenant, ...scope } = {}) => of(tenant).on(point, change, scope),
        addClaims: (claims, { tenant, ...scope } = {}) => of(tenant).addClaims(claims, scope),
        changeResponse: (at, { tenant, ...change }) => of(tenant).changeResponse(at, change),
      },
      internals: { hooks: own },
      layers: createHookLayers(own, () => parts().dialect),
      dryRunLayers: ({ dialect }) => createHookLayers(own.dryRun(), () => dialect),
      remarks: () => ({ idleFaults: own.idle().map(({ point }) => `hook.${point}`) }),
      state: own,
    };
  },
};
