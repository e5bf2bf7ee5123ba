import type { LabFeature } from "../../feature.ts";
import { createFaultLayers, createTokenLayers } from "./fault_layers.ts";
import type { FaultTools } from "./fault_tools.ts";
import { createFaults } from "./faults.ts";
import { forgeLogoutTokens } from "./forge_logout_token.ts";
import { preparedFault } from "./http_faults.ts";
import { makeRemovable } from "./removable_fault.ts";
import { withTenants } from "./tenant_faults.ts";

/** Makes a lab misbehave, so that a test sees what its client does about it. */
export const faults: LabFeature<FaultTools> = {
  name: "faults",
  open({ parts, lab }) {
    const own = createFaults(() => parts().probe?.faults ?? []);
    const all = withTenants(own, () => lab().tenants);
    return {
      tools: {
        faults: all,
        fault: (name, scope = {}) => makeRemovable(all, all.add({ ...scope, name })),
        next: (at, { times = 1, ...response } = {}) =>
          makeRemovable(all, all.add({ ...response, times, name: preparedFault(at) })),
      },
      internals: {},
      layers: { ...createFaultLayers(own, parts), ...createTokenLayers(own.aliases) },
      // Faults wait for requests of clients, but a client may have a token that one invented.
      dryRunLayers: () => createTokenLayers(new Map(own.aliases)),
      outbound: (send) => forgeLogoutTokens(send, own, parts),
      remarks: () => ({ idleFaults: own.idle().map(({ name }) => name) }),
      state: { clear: own.forget },
    };
  },
};
