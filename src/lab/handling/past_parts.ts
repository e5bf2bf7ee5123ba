import type { ClientConfig } from "../../server/features.ts";
import type { OutboundFetch } from "../../server/http/outbound_fetch.ts";
import type { WrapperAnswers } from "../../server/issuer/wrapper_answers.ts";
import { once } from "../../server/util/time/promises.ts";
import { dialectAddress } from "../dialect/dialect_address.ts";
import { createUserDirectory } from "../lab_server/directory.ts";
import type { LabAnswers } from "../lab_server/lab_answers.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";
import { describeScopes } from "../lab_server/lab_scopes.ts";
import type {
  ChangeConfig,
  ReplaceableServer,
  RespondingServer,
  ServerState,
} from "../lab_server/replaceable_server.ts";
import { configuredScopesIn } from "../lab_server/server_source.ts";
import { mapAt, type Past } from "../recording/change_history.ts";
import type { RequestTime } from "../recording/exchange.ts";
import { createAnswerForUser } from "../sign_in/answer_for_user.ts";
import { createSeededBytes, type SeededBytes } from "../util/seeded_bytes.ts";
import type { LabParts, RespondingParts } from "./lab_parts.ts";
import { noticeOf, unaskedUsers } from "./unasked_users.ts";

/** A time that a lab returns to for a replay. */
interface Visit {
  past: Past;
  /** What the server knew and had stored. */
  state: ServerState;
  now: () => number;
  /** Those of a lab with a seed are others than the lab has, and the same in each run. */
  randomBytes: SeededBytes["next"] | undefined;
}

/** The parts of a lab as it was, with the clients of its server. */
export interface PastParts extends RespondingParts {
  readonly clients: readonly ClientConfig[];
}

/** What the server asks of a lab as it was. */
type PastAnswers = Required<
  Pick<WrapperAnswers, "answerForUser" | "notice" | "unaskedSessions" | "vouchForRedirect">
>;

/**
 * Creates the parts of a lab as it was when it got a request: what its server had stored, its
 * users, clients and settings, and the time. What they change, they keep to themselves. The record
 * is that of now: a replay is in it.
 *
 * @throws {LabError} The lab has forgotten what it was like.
 */
export function createPastParts(parts: LabParts, { mark, began }: RequestTime): PastParts {
  const { history, handsFree, vouchedRequests } = parts;
  const past = history.at(mark);
  const state = parts.server.at(past);
  const settings = parts.settings.configAt(past);
  const { seed } = settings;
  const randomBytes = seed === undefined ? undefined : createSeededBytes(`${seed} ${mark}`).next;
  const visit: Visit = { past, state, now: () => began, randomBytes };
  const config = () => settings;
  const next = () => handsFree.nextAt(past);
  const users = {
    handsFree: { next, take: next, skipsConsent: () => settings.consent === "skip" },
    unaskedSessions: mapAt(past, "unasked session", parts.unaskedSessions),
    config,
  };
  const answers: PastAnswers = {
    answerForUser: createAnswerForUser(() => unaskedUsers(users)),
    notice: () => noticeOf(users),
    unaskedSessions: users.unaskedSessions,
    vouchForRedirect: (request) => vouchedRequests.wouldTakeAt(request, past, began),
  };
  const { issuer, base, pagesUrl, clock, recorder, record, timeline, events, waits } = parts;
  return {
    ...users,
    clients: state.source.entries.clients,
    server: createPastServer(parts.server, visit, answers),
    dialect: pastDialect(parts, settings, visit),
    clientDefaults: parts.clientDefaults,
    probe: undefined,
    ...{ issuer, base, pagesUrl, clock, recorder, record, timeline, events, waits },
  };
}

/** Creates the server as it was. A replay adds scopes and users to it, where any may be named. */
function createPastServer(
  server: ReplaceableServer,
  { state, now, randomBytes }: Visit,
  answers: PastAnswers,
): RespondingServer {
  const configured = configuredScopesIn(state.source);
  const unknownUsers = server.unknownUsers?.copy(() => past);
  const changeAnswers = (given: LabAnswers): Required<LabAnswers> => ({
    ...answers,
    unknownUsers,
    addsScope: given.addsScope && ((token) => !configured.includes(token)),
    // These are the same for as long as the lab is open.
    chosenSignIn: given.chosenSignIn,
    presumeGrant: given.presumeGrant,
    assertionProblem: given.assertionProblem,
    confirmsSignOut: given.confirmsSignOut,
    publicIntrospection: given.publicIntrospection,
    publishedKeys: given.publishedKeys,
    hostedDocuments: given.hostedDocuments,
    sealedTexts: given.sealedTexts,
    firstDecryptionKey: given.firstDecryptionKey,
  });
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
    return server.copy(state, change, changeAnswers);
  };
  let current = create([]);
  const users = () => current.context.settings.parties.users;
  const past: RespondingServer = {
    current: () => current,
    unknownUsers,
    users: createUserDirectory({
      read: () => users().list(),
      put: (user) => users().put(user),
      remove: (name) => users().remove(name),
    }),
    configuredScopes: () => configured,
    addScopes: (names) => void (current = create(names)),
  };
  return past;
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
