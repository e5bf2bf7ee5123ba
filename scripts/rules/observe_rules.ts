import type { RulePlace } from "../../src/lab/util/rule_catalogue.ts";
import type {
  EventRequest,
  ServerEvent,
  ServerEventListener,
} from "../../src/server/config/events.ts";
import { clientEndpoints } from "../../tests/features.ts";
import { authorizationRows } from "../../tests/support/broken_rules/authorization_rows.ts";
import { clientRows } from "../../tests/support/broken_rules/request_rows.ts";
import { brokenRules, successes } from "../../tests/support/broken_rules/rows.ts";
import { type BrokenRules, playInLab } from "../../tests/support/broken_rules/rule_lab.ts";
import { proofRows } from "../../tests/support/broken_rules/token_use_rows.ts";

/** The last rule that the token endpoint applies for every grant. */
const lastOfEveryGrant = "dpop.required";

/** The rows that break the same rules at other endpoints. */
const movedRows: Readonly<Record<string, BrokenRules>> = {
  "/oauth2/par": { ...clientRows, ...proofRows, ...authorizationRows },
  "/oauth2/device_authorization": { ...clientRows, ...authorizationRows },
  "/oauth2/backchannel_authentication": clientRows,
  "/oauth2/introspect": clientRows,
  "/oauth2/revoke": clientRows,
};

/** The rules of one request, and where they were applied. */
interface ObservedRequest {
  name: string;
  rules: readonly string[];
  isRefused: boolean;
}

/**
 * Observes the order in which each endpoint and each grant applies its rules, in requests that
 * succeed and in one that breaks each rule.
 */
export async function observePlaces(): Promise<RulePlace[]> {
  const observed: ObservedRequest[] = [];
  const onEvent: ServerEventListener = (event, request) => {
    if (request) observed.push(...observeRequest(event, request));
  };
  // Rules of which each row breaks one come in the order of their rows.
  for (const row of [...Object.values(successes), ...Object.values(brokenRules).reverse()]) {
    await using _kit = await playInLab(row, { settings: { onEvent } });
  }
  const moved = Object.entries(movedRows).filter(([path]) =>
    clientEndpoints.some((name) => path.endsWith(`/${name}`))
  );
  for (const [endpoint, rows] of moved) {
    for (const [rule, row] of Object.entries(rows).reverse()) {
      const before = observed.length;
      await using _kit = await playInLab(row, { settings: { onEvent }, endpoint });
      const isMoved = observed.slice(before).some(({ name }) => name === `POST ${endpoint}`);
      if (!isMoved) throw new Error(`The row that breaks '${rule}' sends nothing to ${endpoint}.`);
    }
  }
  const names = new Set(observed.filter(({ isRefused }) => !isRefused).map(({ name }) => name));
  return [...names].map((name) => {
    const here = observed.filter((each) => each.name === name);
    return { name, rules: mergeOrders(here.map(({ rules }) => rules)) };
  }).filter(({ rules }) => rules.length > 0);
}

/** Returns the rules that a request was measured by when it ends, split by endpoint and grant. */
export function observeRequest(event: ServerEvent, request: EventRequest): ObservedRequest[] {
  if (event.type !== "request.handled") return [];
  const name = `${event.method} ${event.path}`;
  const { error, grantType } = request;
  const isRefused = error !== undefined;
  const rules = rulesOf(request);
  const end = rules.indexOf(lastOfEveryGrant) + 1;
  if (grantType === undefined || end === 0) return [{ name, rules, isRefused }];
  return [
    { name, rules: rules.slice(0, end), isRefused },
    { name: `${name}, ${grantType}`, rules: rules.slice(end), isRefused },
  ];
}

/** A limit throws without a rule log. */
function rulesOf({ rules, brokenRule }: EventRequest): string[] {
  const noted = rules.map(({ rule }) => rule.id);
  return brokenRule && !noted.includes(brokenRule.id) ? [...noted, brokenRule.id] : noted;
}

/**
 * Merges lists that agree in their order: what comes first in one list comes first in the result.
 * What no list compares stays beside its neighbor.
 */
function mergeOrders(lists: ReadonlyArray<readonly string[]>): string[] {
  const unique = lists.map((list) => [...new Set(list)]);
  const left = insertBesideNeighbors(unique);
  const before = predecessorsIn(unique);
  const order: string[] = [];
  while (left.length > 0) {
    const at = left.findIndex((id) => !left.some((each) => before.get(id)?.has(each)));
    if (at < 0) throw new Error(`Requests disagree on the order of: ${left.join(", ")}`);
    order.push(...left.splice(at, 1));
  }
  return order;
}

function insertBesideNeighbors(lists: ReadonlyArray<readonly string[]>): string[] {
  const order: string[] = [];
  for (const list of lists) {
    for (const [at, id] of list.entries()) {
      if (!order.includes(id)) order.splice(order.indexOf(list[at - 1] ?? "") + 1, 0, id);
    }
  }
  return order;
}

function predecessorsIn(lists: ReadonlyArray<readonly string[]>): Map<string, Set<string>> {
  const before = new Map<string, Set<string>>();
  for (const list of lists) {
    for (const [at, id] of list.entries()) {
      before.set(id, new Set([...before.get(id) ?? [], ...list.slice(0, at)]));
    }
  }
  return before;
}
