import type { InternalServer } from "../../server.ts";
import { parseDuration } from "../../util/duration.ts";
import { LabError, unknownName } from "../lab_error.ts";
import type { WireRequest, WireResponse } from "../recording/exchange.ts";
import type { FlowTrace } from "../recording/timeline.ts";
import { catalogue, findFault } from "./catalogue.ts";
import type { ChangingFault, Fault, FaultContext, FaultOptions, ReplacingFault } from "./fault.ts";

/** The faults that a test has added to a lab. */
export interface FaultList {
  /**
   * Adds a fault.
   *
   * @throws {LabError} The catalogue has no such fault, or its scope is invalid.
   */
  add(options: FaultOptions): Fault;
  /** Returns all faults that were added and not removed. */
  list(): Fault[];
  /**
   * Removes the fault with an id.
   *
   * @throws {LabError} There is no such fault.
   */
  remove(id: string): void;
  /** Returns the faults that never fired. A test with one of them did not test what it meant to. */
  idle(): Fault[];
  /** Removes all faults. */
  clear(): void;
}

/** The faults of a lab, and what they do to the responses of its server. */
export interface Faults extends FaultList {
  /** Returns the response as the faults make it, and the names of those that fired. */
  respond(
    exchange: FaultedExchange,
    proceed: () => Promise<WireResponse>,
  ): Promise<{ response: WireResponse; struck: string[] }>;
}

/** A request that comes in. */
export interface FaultedExchange {
  server: InternalServer;
  request: WireRequest;
  /** What is known of the flow that it goes on with. */
  findFlow(): FlowTrace | undefined;
  aliases: FaultContext["aliases"];
  wait: FaultContext["wait"];
}

export function createFaults(): Faults {
  let next = 1;
  let orders: Fault[] = [];

  return {
    add(options) {
      checkOptions(options);
      const fault: Fault = { ...options, id: `fault-${next++}`, met: 0, fired: 0 };
      orders.push(fault);
      return fault;
    },
    list: () => [...orders],
    remove(id) {
      if (!orders.some((fault) => fault.id === id)) {
        throw unknownName(
          "fault",
          id,
          orders.map((fault) => fault.id),
        );
      }
      orders = orders.filter((fault) => fault.id !== id);
    },
    idle: () => orders.filter(({ fired }) => fired === 0),
    clear: () => void (orders = []),
    async respond(exchange, proceed) {
      const { request } = exchange;
      const meant = orders.filter((fault) =>
        isMeant(fault, exchange) && findFault(fault.name).appliesTo(request)
      );
      const instead = meant.filter(({ name }) => "respond" in findFault(name)).find(strikes);
      const struck: string[] = instead ? [instead.name] : [];
      let response = instead
        ? await (findFault(instead.name) as ReplacingFault).respond(
          { ...exchange, fault: instead },
          proceed,
        )
        : await proceed();
      for (const fault of meant) {
        const kind = findFault(fault.name);
        const scene = { ...exchange, fault };
        if (!isChangingFault(kind) || !kind.canChange(response, scene) || !strikes(fault)) continue;
        response = await kind.change(response, scene);
        struck.push(fault.name);
      }
      return { response, struck };
    },
  };
}

function isChangingFault(kind: ReplacingFault | ChangingFault): kind is ChangingFault {
  return "change" in kind;
}

/** Bound to what the client sends anyway, so that tests that run side by side cannot meet. */
function isMeant(
  { client, state, loginHint }: Fault,
  { request, findFlow }: FaultedExchange,
): boolean {
  const flow = findFlow();
  const parameter = (name: string) =>
    request.query.get(name) ?? request.form.get(name) ?? undefined;
  if (client !== undefined && (request.client ?? flow?.client) !== client) return false;
  if (state !== undefined && (flow?.state ?? parameter("state")) !== state) return false;
  return loginHint === undefined || (flow?.loginHint ?? parameter("login_hint")) === loginHint;
}

/** Counts that a fault was met, and says whether it strikes this time. */
function strikes(fault: Fault): boolean {
  const { nth = 1, times = fault.nth === undefined ? Infinity : 1 } = fault;
  fault.met++;
  if (fault.met < nth || fault.fired >= times) return false;
  fault.fired++;
  return true;
}

const members = ["name", "tenant", "client", "state", "loginHint", "nth", "times", "delay"];

function checkOptions(options: FaultOptions): void {
  if (typeof options.name !== "string") {
    throw new LabError(`A fault needs a 'name'; there are: ${[...catalogue.keys()].join(", ")}.`);
  }
  findFault(options.name);
  const stranger = Object.keys(options).find((name) => !members.includes(name));
  if (stranger) throw unknownName("member of a fault", stranger, members);
  for (const name of ["tenant", "client", "state", "loginHint"] as const) {
    if (options[name] !== undefined && typeof options[name] !== "string") {
      throw new LabError(`The '${name}' of a fault is a text.`);
    }
  }
  for (const name of ["nth", "times"] as const) {
    const value = options[name];
    if (value !== undefined && !(Number.isInteger(value) && value >= 1)) {
      throw new LabError(`The '${name}' of a fault is a whole number from 1 on.`);
    }
  }
  if (options.delay !== undefined && parseDuration(options.delay) === undefined) {
    throw new LabError(
      "The 'delay' of a fault is a duration: seconds, or a text such as 500ms, 30s, 5m.",
    );
  }
}
