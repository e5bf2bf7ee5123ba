import { secretTable, type Table } from "../../server/issuer/records/table.ts";
import { basePath } from "../../server/protocol/issuer_url.ts";
import { memoryStore } from "../../server/store/memory.ts";
import type { Tenants } from "../control/lab.ts";
import { createFaults, type Faults } from "../faults/faults.ts";
import { createHooks, type Hooks } from "../hooks/hooks.ts";
import { createResponseTypes, type ResponseTypes } from "../hooks/response_types.ts";
import { createPresumeGrant, type IssuedCredentials } from "../lab_server/any_grant.ts";
import { checkPowers, clientLeniencyNames, leniencyNames } from "../lab_server/check_powers.ts";
import { type LabConfig, labNotice } from "../lab_server/lab_server.ts";
import {
  createReplaceableServer,
  type ReplaceableServer,
} from "../lab_server/replaceable_server.ts";
import { createRestorableStore } from "../lab_server/snapshots.ts";
import type { StartedFlow } from "../lab_server/started_flow.ts";
import { createLabEvents, type LabEvents } from "../recording/lab_event.ts";
import { createRecorder, type Recorder } from "../recording/recorder.ts";
import { createTimeline, type Timeline } from "../recording/timeline.ts";
import { createAnswerForUser } from "../sign_in/answer_for_user.ts";
import {
  createHandsFree,
  type HandsFree,
  handsFreeNotice,
  type SkippedPages,
} from "../sign_in/hands_free.ts";
import { createClock, type RestorableClock } from "../util/clock.ts";
import { createSeededBytes, type SeededBytes } from "../util/seeded_bytes.ts";
import { createWaits, type Waits } from "../util/waits.ts";
import { createValues, type Values } from "../values/values.ts";

/** The parts of a lab. The server among them does not know the others: they wrap its `fetch`. */
export interface LabParts {
  readonly issuer: string;
  /** Returns the URL or path below which browsers find the pages of the lab, if it is known. */
  readonly pagesUrl: () => string | undefined;
  /** Whether error responses link to the page of their flow. */
  readonly explainsErrors: boolean;
  readonly signInByHint: boolean;
  readonly handsFree: HandsFree;
  readonly responseTypes: ResponseTypes;
  /** The status of redirects with an authorization response. */
  readonly redirectStatus: number;
  /** Returns the leniencies that are on, by their names. */
  readonly leniencies: () => readonly string[];
  readonly server: ReplaceableServer;
  readonly tenants: Tenants;
  readonly events: LabEvents;
  readonly clock: RestorableClock;
  /** Replaces the randomness of the server, if the lab has a seed. */
  readonly seededBytes: SeededBytes | undefined;
  readonly waits: Waits;
  readonly recorder: Recorder;
  readonly timeline: Timeline;
  readonly faults: Faults;
  readonly hooks: Hooks;
  readonly values: Values;
  /** Maps a refresh token that a client got to the one that the server knows. */
  readonly aliases: Map<string, string>;
  /** The URL of the first authorization request that a fault met, by the id of the fault. */
  readonly begunRequests: Map<string, string>;
  /** The flows that the lab started itself, by their state. */
  readonly startedFlows: Table<StartedFlow>;
}

/** Returns the line at the top of every page, which says who signs in without one. */
function noticeFor(
  skipped: SkippedPages,
  notice: string = labNotice,
): string {
  return [notice, handsFreeNotice(skipped)].filter((each) => each !== undefined).join(" ");
}

export function createLabParts(
  labConfig: LabConfig,
  tenants: Tenants,
  issued: IssuedCredentials | undefined,
): LabParts {
  const {
    signInByHint = false,
    signIn,
    consent,
    seed,
    anyClient: _anyClient,
    unknownClientPkce: _pkce,
    anyGrant,
    drillOrigins: _origins,
    responseTypes = ["code"],
    redirectStatus = 303,
    responseChanges = [],
    onLabEvent,
    errorUri: explainsErrors = true,
    controlApart = false,
    pagesUrl = () => undefined,
    ...config
  } = labConfig;
  const events = createLabEvents({ onEvent: config.onEvent, onLabEvent });
  const clock = createClock(config.now, emitClock);
  const seededBytes = seed === undefined ? undefined : createSeededBytes(seed);
  const configured = { user: signIn, skipsConsent: consent === "skip" };
  const store = createRestorableStore(config.store ?? memoryStore(), issued?.addRow);
  issued?.addIssuer(config.issuer);
  // What is no list is reported below, with every other problem.
  const allowedResponses = createResponseTypes(Array.isArray(responseTypes) ? responseTypes : []);
  const server = createReplaceableServer({
    ...config,
    responseModes: allowedResponses.clientModes,
    answers: {
      answerForUser: (question) => answerForUser(question),
      ...anyGrant && issued && { presumeGrant: createPresumeGrant(anyGrant, issued) },
      ...config.anyScope && { addsScope: (token) => !server.configuredScopes.includes(token) },
    },
    notice: noticeFor(configured, config.notice),
    ...seededBytes && { randomBytes: seededBytes.next },
    store,
    now: clock.now,
    onEvent: events.emitServerEvent,
  });

  const userNames = () => server.users.list().map(({ name }) => name);
  const handsFree = createHandsFree({
    signIn,
    consent,
    userNames,
    scopeNames: () => [...server.current().context.settings.scopes.keys()],
    onChange: showNotice,
  });
  const answerForUser = createAnswerForUser({ handsFree, signInByHint });
  checkPowers({ ...labConfig, userNames: userNames(), scopeNames: server.configuredScopes });

  function showNotice(): void {
    const { skipsConsent } = handsFree;
    const { user, ...decision } = handsFree.next() ?? { user: undefined };
    server.setNotice(noticeFor({ user, ...decision, skipsConsent }, config.notice));
  }

  function emitClock(): void {
    const now = new Date(clock.now()).toISOString();
    events.emitLabEvent({ type: "clock.moved", now, frozen: clock.frozen });
  }

  return {
    issuer: config.issuer,
    pagesUrl: controlApart
      ? pagesUrl
      : () => `${basePath(config.frontChannelUrl ?? config.issuer)}/lab`,
    explainsErrors,
    signInByHint,
    handsFree,
    responseTypes: allowedResponses,
    redirectStatus,
    leniencies: () => [...leniencyNames(labConfig), ...clientLeniencyNames(server.clients.list())],
    server,
    tenants,
    events,
    clock,
    seededBytes,
    waits: createWaits(),
    recorder: createRecorder(),
    timeline: createTimeline(config.issuer),
    faults: createFaults(),
    hooks: createHooks(responseChanges),
    values: createValues(),
    aliases: new Map(),
    begunRequests: new Map(),
    startedFlows: secretTable(store, "lab-flow", clock.now),
  };
}
