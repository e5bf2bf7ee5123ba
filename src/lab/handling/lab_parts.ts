import type { OutboundFetch } from "../../server/http/outbound_fetch.ts";
import { secretTable } from "../../server/issuer/records/table.ts";
import type { AssertionProblem } from "../../server/issuer/server_hooks.ts";
import { basePath } from "../../server/protocol/issuer_url.ts";
import { memoryStore } from "../../server/store/memory.ts";
import { once } from "../../server/util/time/promises.ts";
import type { Tenants } from "../core/core_lab.ts";
import { dialectAddress } from "../dialect/dialect_address.ts";
import type { ClientSecretJwt } from "../dialect/request_settings.ts";
import type { RecordedFlows } from "../flows/text_diagram.ts";
import { labSettings } from "../lab_server/changeable_settings.ts";
import { checkPowers } from "../lab_server/check_lab_settings.ts";
import type { CoreLabConfig, LabServerConfig } from "../lab_server/lab_config.ts";
import { type LabHooks, labNotice } from "../lab_server/lab_server.ts";
import { createLiveServer } from "../lab_server/live_server.ts";
import { createReplaceableSettings } from "../lab_server/replaceable_settings.ts";
import { createRestorableStore } from "../lab_server/restorable_store.ts";
import type { StartedFlow } from "../lab_server/started_flow.ts";
import { createVouchedRequests, type VouchedRequests } from "../lab_server/vouched_requests.ts";
import type { LabProbe } from "../layers/probe.ts";
import {
  clientDefaultsOf,
  clientLeniencyNames,
  leniencyNames,
  settingsChecks,
} from "../leniencies/leniencies.ts";
import type { SettingRules } from "../leniencies/leniency.ts";
import type { OnForget } from "../recording/examination_schedule.ts";
import { createLabEvents } from "../recording/lab_event.ts";
import { createLabRecord, type RecordAround } from "../recording/lab_record.ts";
import type { Recorder } from "../recording/recorder.ts";
import type { Timeline } from "../recording/timeline.ts";
import { createAnswerForUser, type UnaskedUsers } from "../sign_in/answer_for_user.ts";
import { createHandsFree, type HandsFree, handsFreeNotice } from "../sign_in/hands_free.ts";
import { readChosenSignIn } from "../sign_in/one_click.ts";
import type { AddedTokens } from "../tokens/mint_options.ts";
import { createClock, type RestorableClock } from "../util/clock.ts";
import { createSeededBytes } from "../util/seeded_bytes.ts";
import { createWaits } from "../util/waits.ts";

/** What a lab remembers of its test and of the requests, until a reset. */
interface LabMemory {
  readonly recorder: Recorder;
  readonly timeline: Timeline;
  /** The secrets of the sessions of users who signed in hands-free, by their names. */
  readonly unaskedSessions: Map<string, string>;
  /** What the dialect remembers of users. */
  readonly seen: Map<string, true>;
  /** The requests of flows that may end at the lab without a redirect URI of their client. */
  readonly vouchedRequests: VouchedRequests;
  /** The cookies of each browser that a test named. */
  readonly cookies: Map<string, Map<string, string>>;
}

/** What the parts of a lab ask of each feature that is open in it. */
export interface PartsFeature {
  /** Called with the kind and the id of each row that the server writes: few rows are kept. */
  onWrite?(kind: string, id: string): void;
  /**
   * Called before recorded requests are forgotten: at a reset and the like, and before the oldest
   * make room for newer ones, then for many at a time and in steps.
   */
  onForget?: OnForget;
  /** Returns its hooks in the server of a lab that has these settings at its start. */
  serverHooks?(config: CoreLabConfig): LabHooks;
  /**
   * Returns a fetch with what it does to the requests that the server sends: they pass no layer.
   */
  outbound?(send: OutboundFetch): OutboundFetch;
}

/** What the parts of a lab get from around it. */
interface PartsAround {
  tenants: Tenants;
  probe?: LabProbe | undefined;
  /** The record of the lab around this one, if it is a tenant. */
  recordAround?: RecordAround | undefined;
  /** What each feature brings to every lab. */
  features: readonly SettingRules[];
  /** The features that are open in this one. */
  opened: readonly PartsFeature[];
}

/** The parts of a lab. The server among them does not know the others: they wrap its `fetch`. */
export type LabParts = ReturnType<typeof createLabParts>;

/** Creates the parts of a lab. The server uses later parts only once the lab is open. */
export function createLabParts(
  start: CoreLabConfig,
  { tenants, probe, recordAround, features, opened }: PartsAround,
) {
  const { issuer, seed, dialect, controlApart = false, frontChannelUrl = issuer } = start;
  const address = dialectAddress(issuer, dialect, start);
  const events = createLabEvents(start);
  const clock: RestorableClock = createClock(start.now, () => {
    const now = new Date(clock.now()).toISOString();
    events.emitLabEvent({ type: "clock.moved", now, frozen: clock.frozen });
  });
  /** Replaces the randomness of the server, if the lab has a seed. */
  const seededBytes = seed === undefined ? undefined : createSeededBytes(seed);
  const record = createLabRecord({
    issuer,
    events,
    onForget(step) {
      for (const { onForget } of opened) onForget?.(step);
    },
    around: recordAround,
  });
  const memory: LabMemory = {
    recorder: record.recorder,
    timeline: record.timeline,
    unaskedSessions: new Map(),
    seen: new Map(),
    vouchedRequests: createVouchedRequests(clock.now),
    cookies: new Map(),
  };
  const store = createRestorableStore(start.store ?? memoryStore(), (kind, id) => {
    for (const feature of opened) feature.onWrite?.(kind, id);
  });
  const clientDefaults = clientDefaultsOf(start, features);
  const config = <Own extends object = object>(): CoreLabConfig & Own => settings.config<Own>();
  const userNames = () => server.users.list().map(({ name }) => name);

  const server = createLiveServer({
    ...serverConfigOf(start, opened),
    store,
    clientDefaults,
    now: clock.now,
    onEvent: events.emitServerEvent,
    ...seededBytes && { randomBytes: seededBytes.next },
    features,
    subjects: dialect?.subjects,
    hooks: {
      answerForUser: createAnswerForUser(() => unasked()),
      notice: () => noticeOf(config(), handsFree),
      unaskedSessions: memory.unaskedSessions,
      vouchForRedirect: memory.vouchedRequests.take,
      chosenSignIn: readChosenSignIn,
      assertionProblem: dialect?.clientSecretJwt && createAssertionCheck(dialect.clientSecretJwt),
      confirmsSignOut: dialect?.logout?.confirmation === "skip",
      publicIntrospection: dialect?.clientRequests?.publicIntrospection ?? false,
      ...Object.assign({}, ...opened.map((each) => each.serverHooks?.(start))),
    },
  });
  const handsFree = createHandsFree({
    signIn: start.signIn,
    userNames,
    takesAnyUser: server.unknownUsers !== undefined,
    skipsConsent: () => config().consent === "skip",
    context: () => server.current().context,
  });
  /** Returns who signs in without a page at the moment. */
  const unasked = (): UnaskedUsers => ({
    handsFree,
    unaskedSessions: memory.unaskedSessions,
    signInByHint: config().signInByHint ?? false,
  });
  const check = (changed: CoreLabConfig) =>
    checkPowers({
      ...changed,
      userNames: userNames(),
      takesAnyUser: server.unknownUsers !== undefined,
      scopeNames: server.current().context.hooks.addsScope ? undefined : server.configuredScopes(),
    }, settingsChecks(features));
  check(start);
  const settings = createReplaceableSettings(start, (changed) => {
    check({ ...changed, signIn: undefined });
    server.configure(serverConfigOf(changed, opened));
  });
  const pagesUrl = () => `${basePath(frontChannelUrl)}/lab`;

  return {
    ...memory,
    /** Forgets the test: what it did, changed and chose. */
    forgetTest() {
      for (const part of Object.values<{ clear(): void }>({ ...memory })) part.clear();
    },
    issuer,
    tenants,
    probe,
    record,
    server,
    settings,
    handsFree,
    unasked,
    config,
    events,
    clock,
    seededBytes,
    /** The URL that the paths of the dialect are below. */
    base: address.base,
    /** What translates between the clients and the server; undefined if they speak the same. */
    dialect: dialect && once(async () => {
      const { createDialect } = await import("../dialect/create_dialect.ts");
      return createDialect(dialect, address, { now: clock.now, seen: memory.seen });
    }),
    /** What clients have that do not have their own settings. */
    clientDefaults,
    /** Returns the URL or path below which browsers find the pages of the lab, if it is known. */
    pagesUrl: controlApart ? start.pagesUrl ?? (() => undefined) : pagesUrl,
    /** Returns the leniencies that are on; those of every lab only once they had an effect. */
    leniencies: () => [
      ...leniencyNames(config(), features),
      ...clientLeniencyNames(server.clients.list()),
    ],
    /** The kinds of tokens that features add to those that a test can mint. */
    addedTokens: Object.assign({}, ...features.map(({ tokens }) => tokens)) as AddedTokens,
    waits: createWaits(),
    /** The flows that the lab started itself, by their state. */
    startedFlows: secretTable<StartedFlow>(store, "lab-flow", clock.now),
  };
}

/** Returns the line at the top of every page, which says who signs in without one. */
function noticeOf({ notice = labNotice }: CoreLabConfig, handsFree: HandsFree): string {
  const skipped = { user: undefined, ...handsFree.next(), skipsConsent: handsFree.skipsConsent() };
  return [notice, handsFreeNotice(skipped)].filter((each) => each !== undefined).join(" ");
}

/**
 * Returns the configuration of the server in a lab: without what only the lab knows, and with what
 * features do to the requests that it sends.
 */
function serverConfigOf(
  config: CoreLabConfig,
  opened: readonly PartsFeature[],
): LabServerConfig {
  const outbound = (send: OutboundFetch): OutboundFetch => (url, init) =>
    opened.reduce((sent, feature) => feature.outbound?.(sent) ?? sent, send)(url, init);
  const all = Object.entries(config).filter(([name]) => !labSettings.includes(name));
  const own = Object.fromEntries(all) as LabServerConfig;
  const { fetch: send = (url, init) => fetch(url, init), fetchUntrusted } = own;
  // A value that is not a function is reported with the other problems of the configuration.
  if (typeof send !== "function") return own;
  return {
    ...own,
    fetch: outbound(send),
    ...typeof fetchUntrusted === "function" && { fetchUntrusted: outbound(fetchUntrusted) },
  };
}

/** Loads the check of client assertions when there is one. */
function createAssertionCheck(form: ClientSecretJwt): AssertionProblem {
  const check = once(async () => {
    const { createSecretCheck } = await import("../dialect/client_secret_jwt.ts");
    return createSecretCheck(form);
  });
  return async (...given) => await (await check())(...given);
}

/** Returns everything that was recorded, as diagrams read it. */
export function recordedIn({ issuer, recorder, timeline }: LabParts): RecordedFlows {
  return { issuer, exchanges: recorder.all(), flows: timeline.list() };
}
