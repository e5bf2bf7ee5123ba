import type { OutboundFetch } from "../../server/http/outbound_fetch.ts";
import type { WrapperAnswers } from "../../server/issuer/wrapper_answers.ts";
import { once } from "../../server/util/time/promises.ts";
import { dialectAddress } from "../dialect/dialect_address.ts";
import { createFaults } from "../faults/faults.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";
import { describeScopes } from "../lab_server/lab_scopes.ts";
import type { ChangeConfig, ReplaceableServer } from "../lab_server/replaceable_server.ts";
import { mapAt, type Past } from "../recording/change_history.ts";
import type { RequestTime } from "../recording/exchange.ts";
import { createAnswerForUser } from "../sign_in/answer_for_user.ts";
import { createSeededBytes, type SeededBytes } from "../util/seeded_bytes.ts";
import type { LabParts } from "./lab_parts.ts";
import { unaskedUsers } from "./unasked_users.ts";

/** A time that a lab returns to for a replay. */
interface Visit {
  past: Past;
  now: () => number;
  /** Those of a lab with a seed are others than the lab has, and the same in each run. */
  randomBytes: SeededBytes["next"] | undefined;
}

/**
 * Creates the parts of a lab as it was when it got a request: what its server had stored, its
 * users, clients and settings, and the time. What they change, they keep to themselves. Faults
 * wait for requests of clients, so these parts have none; hooks are those of now, and do not count.
 *
 * @throws {LabError} The lab has forgotten what it was like.
 */
export function createPastParts(parts: LabParts, { mark, began }: RequestTime): LabParts {
  const { history, settings, handsFree, hooks, vouchedRequests, admission, responseTypes } = parts;
  const past = history.at(mark);
  const powers = settings.configAt(past);
  const { seed } = powers;
  const randomBytes = seed === undefined ? undefined : createSeededBytes(`${seed} ${mark}`).next;
  const visit: Visit = { past, now: () => began, randomBytes };
  const next = () => handsFree.nextAt(past);
  const users = {
    handsFree: { ...handsFree, next, take: next, skipsConsent: () => powers.consent === "skip" },
    unaskedSessions: mapAt(past, "unasked session", parts.unaskedSessions),
    powers: () => powers,
  };
  const server = createPastServer(parts.server, visit, {
    answerForUser: createAnswerForUser(() => unaskedUsers(users)),
    unaskedSessions: users.unaskedSessions,
    vouchForRedirect: (request) => vouchedRequests.wouldTakeAt(request, past, began),
  });
  return {
    ...parts,
    ...users,
    server,
    dialect: pastDialect(parts, powers, visit),
    admission: admission.copy(users.powers),
    responseTypes: responseTypes.copy(),
    faults: createFaults(),
    hooks: { ...hooks, apply: hooks.dryRun() },
    probe: undefined,
  };
}

/** Creates the server as it was. A replay adds scopes to it, where any may be named. */
function createPastServer(
  server: ReplaceableServer,
  { past, now, randomBytes }: Visit,
  answers: WrapperAnswers,
): ReplaceableServer {
  const state = server.at(past);
  const create = (added: readonly string[]) => {
    const change: ChangeConfig = ({ randomBytes: _, scopes, ...config }) => ({
      ...config,
      scopes: { ...describeScopes(added), ...scopes },
      ...config.fetch && { fetch: withoutPosts(config.fetch) },
      ...config.fetchUntrusted && { fetchUntrusted: withoutPosts(config.fetchUntrusted) },
      now,
      ...randomBytes && { randomBytes },
      // Without a listener, the server notes no rules.
      onEvent: () => undefined,
    });
    return server.copy(state, change, answers);
  };
  let current = create([]);
  return {
    ...server,
    current: () => current,
    clients: { ...server.clients, list: () => [...state.source.entries.clients] },
    addScopes: (names) => void (current = create(names)),
  };
}

/** Returns a fetch that sends no logout tokens: to the applications, nothing has happened. */
function withoutPosts(send: OutboundFetch): OutboundFetch {
  return async (url, init) => init.method === "POST" ? new Response(null) : await send(url, init);
}

/** Loads the dialect as it was. It knows the tokens that clients got in its form. */
function pastDialect(
  { dialect: loadDialect, issuer, seen }: LabParts,
  { dialect, ...config }: LabConfig,
  { past, now }: Visit,
): LabParts["dialect"] {
  if (!loadDialect || !dialect) return loadDialect;
  return once(async () => {
    const { createDialect } = await import("../dialect/create_dialect.ts");
    const { originalOf } = await loadDialect();
    const state = { now, seen: mapAt(past, "seen", seen), originalOf };
    return createDialect(dialect, dialectAddress(issuer, dialect, config), state);
  });
}
