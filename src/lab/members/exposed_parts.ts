import type { Lab } from "../control/lab.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import type { ChangeableSettings } from "../lab_server/replaceable_settings.ts";

/** The members of a lab that are its parts, or belong to one of them. */
export type ExposedParts = Pick<
  Lab,
  | "clock"
  | "users"
  | "clients"
  | "signIn"
  | "settings"
  | "configure"
  | "hooks"
  | "chosenValues"
  | "startedFlows"
  | "vouchedRequests"
  | "subscribe"
  | "contextOf"
  | "originalOf"
>;

/** Returns the members of a lab that are its parts. */
export function exposeParts(parts: LabParts): ExposedParts {
  const { clock, server, settings, hooks, startedFlows, vouchedRequests } = parts;
  return {
    clock,
    users: server.users,
    clients: server.clients,
    signIn: parts.handsFree.set,
    settings,
    configure: (changes) => settings.change(changes as ChangeableSettings),
    hooks,
    chosenValues: parts.values,
    startedFlows,
    vouchedRequests,
    subscribe: parts.events.subscribe,
    originalOf: async (token) => (await parts.dialect?.())?.originalOf(token) ?? token,
    contextOf: (request, observer) => server.current().contextOf(request, observer),
  };
}
