import { LabError, unknownName } from "../util/lab_error.ts";
import type { WireRequest } from "./exchange.ts";
import type { FlowTrace } from "./timeline.ts";

/** Limits a fault or a hook to some requests, by what a client sends anyway. */
export interface FlowScope {
  /** Limits it to one tenant of the lab. */
  tenant?: string | undefined;
  /** Limits it to one client. */
  client?: string | undefined;
  /** Limits it to the flow with this `state`. */
  state?: string | undefined;
  /** Limits it to the flow with this `login_hint`. */
  loginHint?: string | undefined;
  /**
   * Fires for the first time at the nth match, counted from 1.
   *
   * @integer
   * @minimum 1
   */
  nth?: number | undefined;
  /**
   * How often it fires.
   *
   * @integer
   * @minimum 1
   * @default once with `nth`, otherwise without a limit
   */
  times?: number | undefined;
  /**
   * Whether it may never fire without a warning, as in a fixture that several files of a suite
   * share.
   *
   * @default false
   */
  mayStayIdle?: boolean | undefined;
}

/** A scope that counts the requests it matched. */
export interface CountedScope extends FlowScope {
  /** How many requests it matched. */
  met: number;
  /** How often it fired. */
  fired: number;
}

/** What a scope is compared with: the parameters of a request, and its flow. */
export interface ScopeSubject {
  request: Pick<WireRequest, "client" | "query" | "form">;
  /** Finds the flow that the request continues. */
  findFlow(): Promise<FlowTrace | undefined>;
}

export interface ScopedRequest extends ScopeSubject {
  request: WireRequest;
}

const textMembers = ["tenant", "client", "state", "loginHint"] as const;
const countMembers = ["nth", "times"] as const;

const scopeMembers: readonly string[] = [...textMembers, ...countMembers, "mayStayIdle"];

/** Whether a request is within a scope, so that parallel tests cannot interfere. */
export async function isWithinScope(
  { client, state, loginHint }: FlowScope,
  { request, findFlow }: ScopeSubject,
): Promise<boolean> {
  if (client === undefined && state === undefined && loginHint === undefined) return true;
  const flow = await findFlow();
  const parameter = (name: string) =>
    request.query.get(name) ?? request.form.get(name) ?? undefined;
  if (client !== undefined && (request.client ?? flow?.client) !== client) return false;
  if (state !== undefined && (flow?.state ?? parameter("state")) !== state) return false;
  return loginHint === undefined || (flow?.loginHint ?? parameter("login_hint")) === loginHint;
}

/** Whether something never fired that should have. */
export function isIdle({ fired, mayStayIdle = false }: CountedScope): boolean {
  return fired === 0 && !mayStayIdle;
}

/** Counts a match, and returns whether the fault or hook fires this time. */
export function fires(scope: CountedScope): boolean {
  const { nth = 1, times = scope.nth === undefined ? Infinity : 1 } = scope;
  scope.met++;
  if (scope.met < nth || scope.fired >= times) return false;
  scope.fired++;
  return true;
}

/** Checks the members of a scope. `what` is what it limits: "fault". */
export function checkScope(what: string, scope: FlowScope, others: readonly string[] = []): void {
  const names = [...others, ...scopeMembers];
  const unknown = Object.keys(scope).find((name) => !names.includes(name));
  if (unknown) throw unknownName(`${what} option`, unknown, names);
  for (const name of textMembers) {
    if (scope[name] !== undefined && typeof scope[name] !== "string") {
      throw new LabError(`The '${name}' of a ${what} must be text.`);
    }
  }
  if (scope.mayStayIdle !== undefined && typeof scope.mayStayIdle !== "boolean") {
    throw new LabError(`The 'mayStayIdle' of a ${what} must be true or false.`);
  }
  for (const name of countMembers) {
    const value = scope[name];
    if (value !== undefined && !(Number.isInteger(value) && value >= 1)) {
      throw new LabError(`The '${name}' of a ${what} must be a whole number of at least 1.`);
    }
  }
}
