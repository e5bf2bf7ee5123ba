import type { IncomingRequest } from "../../../server/http/incoming_request.ts";
import type { LabFeature } from "../../feature.ts";
import type { LabParts } from "../../handling/lab_parts.ts";
import { type RequestLayers, unless } from "../../layers/layer.ts";
import type { WireRequest, WireResponse } from "../../recording/exchange.ts";
import { changeRequest } from "../../recording/wire_request.ts";
import type { FaultPlace } from "../../responses/places.ts";
import { warnOfTenants } from "../providers/faults.ts";
import type { FaultName } from "./catalogue.ts";
import { checkFaultSetting, type FaultOptions, type FaultSetting } from "./config.ts";
import type { Fault, QueuedResponse, RemovableFault } from "./fault.ts";
import { createFaults, type FaultList, type Faults } from "./faults.ts";
import { forgeLogoutTokens } from "./forge_logout_token.ts";
import { preparedFault } from "./http_faults.ts";

/** Each returns why a fault without a tenant may never fire. */
const warnings: ReadonlyArray<(parts: LabParts) => string | undefined> = [
  warnOfTenants,
];

/** What a test can do to make the lab misbehave. */
export interface FaultTools {
  /**
   * Makes the lab misbehave: `lab.fault("token.server_error", { client: "web", times: 1 })`. With
   * `using fault = lab.fault(…)`, it ends with the block. `userinfo.changed` and its like change a
   * part of a response, and `token.claims` adds claims to tokens.
   */
  fault(name: FaultName, conditions?: Omit<FaultOptions, "name">): RemovableFault;
  /** The faults that the test added, and how often each one fired. */
  readonly faults: FaultList;
  /**
   * Queues a response, sent once instead of the server's, unless `times` is set:
   * `lab.next("userinfo", { status: 503 })`.
   */
  next(at: FaultPlace, response?: QueuedResponse): RemovableFault;
}

/** Makes a lab misbehave, so that a test sees what its client does about it. */
export const faults: LabFeature<FaultTools> = {
  name: "faults",
  checkSettings: checkFaultSetting,
  open({ parts, lab }) {
    const own = createFaults(() => parts().config<FaultSetting>().initialFaults ?? []);
    const all = withTenants(own, () => lab().tenants, () => findWarning(parts()));
    return {
      tools: {
        faults: all,
        fault: (name, scope = {}) => makeRemovable(all, all.add({ ...scope, name })),
        next: (at, { times = 1, ...response } = {}) =>
          makeRemovable(all, all.add({ ...response, times, name: preparedFault(at) })),
      },
      layers: { ...createFaultLayers(own, parts), ...createTokenLayers(own.aliases) },
      outbound: (send) => forgeLogoutTokens(send, own, parts),
      remarks: () => ({ idleFaults: own.idle().map(({ name }) => name) }),
      state: { clear: own.forget },
    };
  },
};

function findWarning(parts: LabParts): string | undefined {
  return warnings.map((warn) => warn(parts)).find((warning) => warning !== undefined);
}

/** Adds the function that removes a fault. JSON leaves it out: it is not part of the data. */
function makeRemovable(faults: FaultList, fault: Fault): RemovableFault {
  const remove = () => {
    if (faults.list().includes(fault)) faults.remove(fault.id);
  };
  return Object.defineProperties(fault, {
    remove: { value: remove },
    [Symbol.dispose]: { value: remove },
  }) as RemovableFault;
}

/**
 * Adds a fault that names a tenant to the tenant, but lists and removes it with those of the lab.
 */
function withTenants(
  own: FaultList,
  tenants: () => {
    ids(): string[];
    find(id: string): { faults: FaultList };
  },
  warningOfOwn: () => string | undefined,
): FaultList {
  const lists = () => tenants().ids().map((id) => tenants().find(id).faults);
  const addedHere = (faults: FaultList) =>
    faults.list().filter(({ tenant }) => tenant !== undefined);
  return {
    add({ tenant, ...options }) {
      if (tenant === undefined) {
        const [fault, warning] = [own.add(options), warningOfOwn()];
        return warning === undefined ? fault : Object.assign(fault, { warning });
      }
      const fault = tenants().find(tenant).faults.add(options);
      // The list of the tenant has the same object, and so its new id.
      return Object.assign(fault, { tenant, id: `${tenant}-${fault.id}` });
    },
    list: () => [...own.list(), ...lists().flatMap(addedHere)],
    remove(id) {
      const owner = lists().find((faults) => addedHere(faults).some((fault) => fault.id === id));
      (owner ?? own).remove(id);
    },
    idle: own.idle,
    clear() {
      own.clear();
      for (const faults of lists()) {
        for (const { id } of addedHere(faults)) faults.remove(id);
      }
    },
  };
}

/** Creates the layer in which faults change responses, or respond in place of the server. */
function createFaultLayers(faults: Faults, parts: () => LabParts): RequestLayers {
  return {
    misbehave: unless(faults.areAsleep, async (exchange, next) => {
      const { waits, events, dialect } = parts();
      const { request, server, findFlow } = exchange;
      let made: WireResponse | undefined;
      const proceed = async () => made = await next();
      const { wait, within } = waits;
      const faulted = { request, server, findFlow, wait, within };
      const { response, fired } = await faults.respond(faulted, proceed);
      if (dialect && made) await (await dialect()).follow(server, made, response);
      const { method, path, client } = request;
      for (const fault of fired) {
        exchange.fired.push(fault);
        events.emitLabEvent({ type: "fault.fired", fault, method, path, client });
      }
      return response;
    }),
  };
}

/** Creates the layer in which the server gets its own refresh tokens for those of faults. */
function createTokenLayers(aliases: ReadonlyMap<string, string>): RequestLayers {
  return {
    translate: unless(() => aliases.size === 0, (exchange, next) => {
      const { request, serverRequest } = exchange;
      exchange.serverRequest = withIssuedRefreshToken(serverRequest, request, aliases);
      return next();
    }),
  };
}

/** Replaces a refresh token that a fault invented with the one that the server issued. */
function withIssuedRefreshToken(
  request: IncomingRequest,
  wireRequest: WireRequest,
  aliases: ReadonlyMap<string, string>,
): IncomingRequest {
  const issuedToken = aliases.get(wireRequest.form.get("refresh_token") ?? "");
  if (issuedToken === undefined) return request;
  const body = new URLSearchParams(wireRequest.form);
  body.set("refresh_token", issuedToken);
  return changeRequest(request, wireRequest, body.toString());
}
