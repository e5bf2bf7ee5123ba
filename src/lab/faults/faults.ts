import type { Server } from "../../server.ts";
import { parseDuration } from "../../protocol/duration.ts";
import { LabError, unknownName } from "../lab_error.ts";
import type { WireRequest, WireResponse } from "../watch/exchange.ts";
import type { FlowTrace } from "../watch/timeline.ts";
import { catalogue, findFault } from "./catalogue.ts";
import type { Fault, FaultOrder, InsteadOfAnswer, Scene, ToAnswer } from "./fault.ts";

/** The orders that stand, and what they do to what a server answers. */
export interface Faults {
  /** Adds an order; it is an error if the catalogue does not have it. */
  order(order: FaultOrder): Fault;
  /** The orders that stand. */
  list(): Fault[];
  /** Takes an order back. */
  remove(id: string): void;
  /** Those that never fired: a test that ordered one did not test what it meant to. */
  idle(): Fault[];
  /** Takes all orders back. */
  clear(): void;
  /** Gives the answer as the faults want it, and the names of those that struck. */
  misbehave(meeting: Meeting, proceed: () => Promise<WireResponse>): Promise<{ answered: WireResponse; struck: string[] }>;
}

/** A request that comes in. */
export interface Meeting {
  server: Server;
  asked: WireRequest;
  /** What is known of the flow that it goes on with. */
  findFlow(): FlowTrace | undefined;
  aliases: Scene["aliases"];
  wait: Scene["wait"];
}

export function createFaults(): Faults {
  let next = 1;
  let orders: Fault[] = [];

  return {
    order(order) {
      checkOrder(order);
      const fault: Fault = { ...order, id: `fault-${next++}`, met: 0, fired: 0 };
      orders.push(fault);
      return fault;
    },
    list: () => [...orders],
    remove(id) {
      if (!orders.some((fault) => fault.id === id)) throw unknownName("fault", id, orders.map((fault) => fault.id));
      orders = orders.filter((fault) => fault.id !== id);
    },
    idle: () => orders.filter(({ fired }) => fired === 0),
    clear: () => void (orders = []),
    async misbehave(meeting, proceed) {
      const { asked } = meeting;
      const meant = orders.filter((fault) => isMeant(fault, meeting) && findFault(fault.name).concerns(asked));
      const instead = meant.filter(({ name }) => "instead" in findFault(name)).find(strikes);
      const struck: string[] = instead ? [instead.name] : [];
      let answered = instead
        ? await (findFault(instead.name) as InsteadOfAnswer).instead({ ...meeting, fault: instead }, proceed)
        : await proceed();
      for (const fault of meant) {
        const kind = findFault(fault.name);
        const scene = { ...meeting, fault };
        if (!isToAnswer(kind) || !kind.fits(answered, scene) || !strikes(fault)) continue;
        answered = await kind.spoil(answered, scene);
        struck.push(fault.name);
      }
      return { answered, struck };
    },
  };
}

function isToAnswer(kind: InsteadOfAnswer | ToAnswer): kind is ToAnswer {
  return "spoil" in kind;
}

/** Bound to what the client sends anyway, so that tests that run side by side cannot meet. */
function isMeant({ client, state, loginHint }: Fault, { asked, findFlow }: Meeting): boolean {
  const flow = findFlow();
  const parameter = (name: string) => asked.query.get(name) ?? asked.form.get(name) ?? undefined;
  if (client !== undefined && (asked.client ?? flow?.client) !== client) return false;
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

function checkOrder(order: FaultOrder): void {
  if (typeof order.name !== "string") {
    throw new LabError(`A fault needs a 'name'; there are: ${[...catalogue.keys()].join(", ")}.`);
  }
  findFault(order.name);
  const stranger = Object.keys(order).find((name) => !members.includes(name));
  if (stranger) throw unknownName("member of a fault", stranger, members);
  for (const name of ["tenant", "client", "state", "loginHint"] as const) {
    if (order[name] !== undefined && typeof order[name] !== "string") throw new LabError(`The '${name}' of a fault is a text.`);
  }
  for (const name of ["nth", "times"] as const) {
    const value = order[name];
    if (value !== undefined && !(Number.isInteger(value) && value >= 1)) {
      throw new LabError(`The '${name}' of a fault is a whole number from 1 on.`);
    }
  }
  if (order.delay !== undefined && parseDuration(order.delay) === undefined) {
    throw new LabError("The 'delay' of a fault is a duration: seconds, or a text such as 500ms, 30s, 5m.");
  }
}
