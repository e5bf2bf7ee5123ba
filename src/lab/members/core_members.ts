import type { CoreLab, CoreTools, Tenants } from "../core/core_lab.ts";
import type { LabRemarks } from "../core/remarks.ts";
import type { CoreTenantConfig } from "../core/tenant_config.ts";
import { loadCompletion } from "../handling/complete_settings.ts";
import type { LabParts, ServedParts } from "../handling/lab_parts.ts";
import type { OpenedFeature } from "../handling/opened_feature.ts";
import { wholeLabSettings } from "../lab_server/json_settings.ts";
import { clientLeniencyNames, leniencyNames } from "../leniencies/leniencies.ts";
import { waitForRequest } from "../recording/wait_for_request.ts";
import { LabError } from "../util/lab_error.ts";

/** Returns what a test can do with the parts of a lab themselves, and with its record. */
export function coreTools(parts: LabParts) {
  const { clock, server, handsFree, recorder, timeline, waits } = parts;
  return {
    clock,
    users: server.users,
    clients: server.clients,
    signIn: handsFree.set,
    requests: recorder.list,
    waitForRequest: (filter, options) => waitForRequest(recorder, waits, filter, options),
    flows: timeline.list,
  } satisfies Partial<CoreTools>;
}

/** Returns what the program and the pages also need of the parts of a lab. */
export function coreInternals(parts: LabParts, opened: readonly OpenedFeature[]) {
  const { server, settings, startedFlows, vouchedRequests, record, recorder, waits } = parts;
  return {
    settings,
    startedFlows,
    vouchedRequests,
    subscribe: parts.events.subscribe,
    originalOf: async (token) => (await parts.dialect?.())?.originalOf(token) ?? token,
    contextOf: (request, observer) => server.current().contextOf(request, observer),
    async nextRequest(filter, milliseconds) {
      const { request, cancel } = recorder.next(filter);
      return await waits.within(milliseconds, request).finally(cancel);
    },
    remarks: () => remarksOf(parts, opened),
    exchanges: recorder.all,
    clearRequests: () => record.discard(),
  } satisfies Partial<CoreLab>;
}

/** Returns the members of a lab that open and find its tenants. */
export function tenantMembers<L extends CoreLab>(
  { server, features }: ServedParts,
  tenants: Tenants<L>,
  labOf: () => L,
) {
  return {
    tenants,
    labOf(tenant: string | undefined): L | undefined {
      if (tenant === undefined) return labOf();
      const [id = "", ...inner] = tenant.split("/");
      if (!tenants.ids().includes(id)) return undefined;
      return tenants.find(id).labOf(inner.join("/") || undefined);
    },
    async tenant(config: CoreTenantConfig = {}): Promise<L> {
      await server.settled();
      // A test may pass a setting by mistake that the type of a tenant does not have.
      for (const [name, value] of Object.entries(config)) {
        if (!value || !Object.hasOwn(wholeLabSettings, name)) continue;
        throw new LabError(`'${name}' is for a whole lab, not for a tenant.`);
      }
      const complete = await loadCompletion(config, features);
      return tenants.open(complete(config));
    },
  };
}

/** Returns what a lab remarks, and its tenants with their names. */
function remarksOf(
  { config, features, server, tenants }: LabParts,
  opened: readonly OpenedFeature[],
): LabRemarks {
  const all: ReadonlyArray<Partial<LabRemarks>> = [
    { leniencies: leniencyNames(config(), features) },
    // Every lab accepts http redirect URIs: that counts once a client has one.
    { leniencies: clientLeniencyNames(server.clients.list()) },
    ...opened.map(({ remarks }) => remarks?.() ?? {}),
    ...tenants.ids().map((id) => namedBy(id, tenants.find(id).remarks())),
  ];
  return {
    idleFaults: all.flatMap(({ idleFaults = [] }) => idleFaults),
    leniencies: all.flatMap(({ leniencies = [] }) => leniencies),
    chosenValues: all.flatMap(({ chosenValues = [] }) => chosenValues),
    apis: all.flatMap(({ apis = [] }) => apis),
    applications: all.flatMap(({ applications = [] }) => applications),
  };
}

function namedBy(
  id: string,
  { idleFaults, leniencies, chosenValues, applications, ...others }: LabRemarks,
): LabRemarks {
  const named = (name: string) => `${name} (tenant ${id})`;
  const within = (tenant?: string) => [id, tenant].filter(Boolean).join("/");
  return {
    ...others,
    idleFaults: idleFaults.map(named),
    leniencies: leniencies.map(named),
    chosenValues: chosenValues.map((use) => ({ ...use, tenant: within(use.tenant) })),
    applications: applications.map((each) => ({ ...each, tenant: within(each.tenant) })),
  };
}
