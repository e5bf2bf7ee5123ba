import { isObject } from "../../../server/util/text/json.ts";
import { parseDuration } from "../../../server/util/time/duration.ts";
import { createBoundedMap, megabyte } from "../../../server/util/values/bounded_map.ts";
import type { WireResponse } from "../../recording/exchange.ts";
import {
  checkScope,
  fires,
  isIdle,
  isWithinScope,
  type ScopedRequest,
} from "../../recording/flow_scope.ts";
import { headerProblem } from "../../util/header_problem.ts";
import { LabError, unknownName } from "../../util/lab_error.ts";
import { findFault, missingFaultName } from "./catalogue.ts";
import { checkChange } from "./changed_responses.ts";
import { changeMembers, type FaultOptions } from "./config.ts";
import type {
  ChangingFault,
  Fault,
  FaultContext,
  FaultKind,
  FaultMemory,
  TokenClaims,
} from "./fault.ts";
import { withAddedClaims } from "./token_claims.ts";

/** What a fault has besides its scope. */
const ownOptions = ["name", "delay", "claims", "status", "headers", "body", ...changeMembers];

/** How much memory the claims of access tokens take, which userinfo has as well. */
const maxClaimBytes = 16 * megabyte;

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
  /**
   * Returns the faults that never fired, except for those that may stay idle. A test with one of
   * them did not test what it meant to.
   */
  idle(): Fault[];
  /** Removes all faults but those of the configuration. */
  clear(): void;
}

/** The faults of a lab, and what they do to the responses of its server. */
export type Faults = ReturnType<typeof createFaults>;

/** A request that faults may match. */
export interface FaultedExchange
  extends Omit<FaultContext, "fault" | keyof FaultMemory>, ScopedRequest {}

type Proceed = () => Promise<WireResponse>;

/** Creates the list of faults. Clearing it restores those of the configuration. */
export function createFaults(configured: () => readonly FaultOptions[]) {
  let nextId = 1;
  let faults: Fault[] = [];
  let hasAddedClaims = false;
  const onClaims = () => void (hasAddedClaims = true);
  const remembered: FaultMemory = {
    aliases: new Map(),
    memory: new Map(),
    held: new Map(),
    addedClaims: createTokenClaims(onClaims),
  };

  function add(options: FaultOptions): Fault {
    checkOptions(options);
    const fault: Fault = { ...options, id: `fault-${nextId++}`, met: 0, fired: 0 };
    faults.push(fault);
    return fault;
  }

  function clear(): void {
    faults = [];
    for (const options of configured()) add(options);
  }

  return {
    add,
    /** Whether no fault can change a response: most labs have none, and every request asks. */
    areAsleep: () => !hasAddedClaims && faults.length === 0,
    /** Maps a refresh token that a client got to the one that the server knows. */
    aliases: remembered.aliases,
    list: () => [...faults],
    remove(id: string): void {
      const ids = faults.map((fault) => fault.id);
      if (!ids.includes(id)) throw unknownName("fault", id, ids);
      faults = faults.filter((fault) => fault.id !== id);
    },
    idle: () => faults.filter(isIdle),
    clear,
    /** Returns to the faults of the configuration, and forgets what others did. */
    forget(): void {
      clear();
      remembered.aliases.clear();
      remembered.memory.clear();
      remembered.held.clear();
      hasAddedClaims = false;
      remembered.addedClaims = createTokenClaims(onClaims);
    },
    /** Returns the response as the faults change it, and the names of those that fired. */
    respond: (exchange: FaultedExchange, proceed: Proceed) =>
      applyFaults([...faults], { ...exchange, ...remembered }, proceed),
  };
}

/**
 * At most one fault replaces the response; then each of the others may change it. Those that break
 * a signature come last, because the others sign again.
 */
async function applyFaults(
  faults: readonly Fault[],
  exchange: FaultedExchange & FaultMemory,
  proceed: Proceed,
): Promise<{
  response: WireResponse;
  /** The names of the faults that fired. */
  fired: string[];
}> {
  const matching: MatchingFault[] = [];
  for (const fault of faults) {
    const kind = findFault(fault.name);
    if (!kind.appliesTo(exchange.request) || !await isWithinScope(fault, exchange)) continue;
    matching.push({ fault, kind, context: { ...exchange, fault } });
  }
  const fired: string[] = [];
  let response: WireResponse | undefined;
  for (const { fault, kind, context } of matching) {
    if (response || !("respond" in kind) || !fires(fault)) continue;
    response = await kind.respond(context, proceed);
    fired.push(fault.name);
  }
  response ??= await proceed();
  for (const { fault, kind, context } of inOrderOfChange(matching)) {
    if (!await kind.canChange(response, context)) continue;
    if (!fires(fault)) continue;
    response = await kind.change(response, context);
    fired.push(fault.name);
  }
  return { response: await withAddedClaims(exchange, response), fired };
}

/** Creates the memory of added claims, and calls back before the first of them. */
function createTokenClaims(onFirst: () => void): TokenClaims {
  const claims: TokenClaims = createBoundedMap(maxClaimBytes);
  return {
    get: claims.get,
    set(token, added) {
      onFirst();
      claims.set(token, added);
    },
  };
}

interface MatchingFault<Kind extends FaultKind = FaultKind> {
  fault: Fault;
  kind: Kind;
  context: FaultContext;
}

function inOrderOfChange(matching: readonly MatchingFault[]): Array<MatchingFault<ChangingFault>> {
  const changing = matching.flatMap(({ kind, ...match }) =>
    "change" in kind ? [{ ...match, kind }] : []
  );
  const isLast = ({ kind }: MatchingFault<ChangingFault>) => kind.breaksSignature === true;
  return [...changing.filter((each) => !isLast(each)), ...changing.filter(isLast)];
}

function checkOptions(options: FaultOptions): void {
  if (typeof options.name !== "string") {
    throw missingFaultName();
  }
  findFault(options.name);
  checkScope("fault", options, ownOptions);
  if (options.delay !== undefined && parseDuration(options.delay) === undefined) {
    throw new LabError(
      "The 'delay' of a fault must be a duration: seconds, or text such as 500ms, 30s or 5m.",
    );
  }
  if ((options.name === "token.claims") !== (options.claims !== undefined)) {
    throw new LabError("The fault token.claims needs 'claims', and no other fault takes them.");
  }
  if (options.name.endsWith(".changed")) return checkChange(options);
  if (changeMembers.some((name) => options[name] !== undefined)) {
    throw new LabError(`Only faults such as token.changed take ${changeMembers.join(", ")}.`);
  }
  checkPreparedResponse(options);
}

function checkPreparedResponse({ name, status, headers, body }: FaultOptions): void {
  if ([status, headers, body].every((each) => each === undefined)) return;
  if (!name.endsWith(".response")) {
    throw new LabError(`Only faults such as token.response take a status, headers or a body.`);
  }
  const isStatus = status === undefined ||
    (Number.isInteger(status) && status >= 200 && status <= 599);
  if (!isStatus) throw new LabError("The 'status' must be a whole number between 200 and 599.");
  const values = isObject(headers) ? Object.values(headers) : [];
  if (
    headers !== undefined &&
    (!isObject(headers) || values.some((value) => typeof value !== "string"))
  ) {
    throw new LabError("The 'headers' must be an object of strings.");
  }
  const problem = headerProblem(headers ?? {});
  if (problem !== undefined) throw new LabError(`The 'headers' cannot be sent: ${problem}.`);
}
