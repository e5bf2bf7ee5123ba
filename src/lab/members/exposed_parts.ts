import type { CoreLab, CoreTools } from "../core/core_lab.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import type { ChangeableSettings } from "../lab_server/replaceable_settings.ts";

/** Returns what a test can do with the parts of a lab themselves. */
export function exposeTools({ clock, server, settings, handsFree }: LabParts) {
  return {
    clock,
    users: server.users,
    clients: server.clients,
    signIn: handsFree.set,
    configure: (changes) => settings.change(changes as ChangeableSettings),
  } satisfies Partial<CoreTools>;
}

/** Returns what the program and the pages need beside it. */
export function exposeParts(parts: LabParts) {
  const { server, settings, startedFlows, vouchedRequests } = parts;
  return {
    settings,
    startedFlows,
    vouchedRequests,
    subscribe: parts.events.subscribe,
    originalOf: async (token) => (await parts.dialect?.())?.originalOf(token) ?? token,
    contextOf: (request, observer) => server.current().contextOf(request, observer),
  } satisfies Partial<CoreLab>;
}
