import { secretTable } from "../../server/issuer/records/table.ts";
import { basePath } from "../../server/protocol/issuer_url.ts";
import { memoryStore } from "../../server/store/memory.ts";
import { once } from "../../server/util/time/promises.ts";
import type { Tenants } from "../core/core_lab.ts";
import { dialectAddress } from "../dialect/dialect_address.ts";
import type { FeatureRow } from "../feature_row.ts";
import type { RecordedFlows } from "../flows/text_diagram.ts";
import { checkLabSettings } from "../lab_server/check_lab_settings.ts";
import type { CoreLabConfig } from "../lab_server/core_lab_config.ts";
import { createLiveServer, type LiveServer } from "../lab_server/live_server.ts";
import { createLiveSettings, type LiveSettings } from "../lab_server/live_settings.ts";
import { createRestorableStore } from "../lab_server/restorable_store.ts";
import type { StartedFlow } from "../lab_server/started_flow.ts";
import { createVouchedRequests } from "../lab_server/vouched_requests.ts";
import { clientDefaultsOf, settingsChecks } from "../leniencies/leniencies.ts";
import { createLabEvents } from "../recording/lab_event.ts";
import { createLabRecord, type OuterRecord } from "../recording/lab_record.ts";
import { createHandsFree, type HandsFree } from "../sign_in/hands_free.ts";
import { createClock, type RestorableClock } from "../util/clock.ts";
import { createSeededBytes } from "../util/seeded_bytes.ts";
import { createWaits, type Waits } from "../util/waits.ts";
import { createLabHooks, serverConfigOf } from "./lab_hooks.ts";
import type { OpenedFeature, TestState } from "./opened_feature.ts";

/** The parts of a lab. The server among them does not know the others: they wrap it. */
export interface LabParts extends RecordedParts, ServedParts, ChosenParts {
  /** What a reset clears, in this order, besides features, settings, clock and server. */
  memory: readonly TestState[];
}

/** What happens in a lab: its time, its events, and the record of its requests. */
export type RecordedParts = ReturnType<typeof createRecordedParts>;

/** The server, and what surrounds it while it responds. */
export type ServedParts = ReturnType<typeof createServedParts>;

/** What a test chose, and may change: settings, dialect, and who signs in hands-free. */
export type ChosenParts = ReturnType<typeof createChosenParts>;

/** What parts use that is made before them. */
interface PartsOptions {
  tenants: Tenants;
  /** The record of the lab that this one is a tenant of. */
  outer?: OuterRecord | undefined;
  /** What each feature brings to every lab. */
  features: readonly FeatureRow[];
  opened: readonly OpenedFeature[];
  waits?: Waits | undefined;
}

/**
 * Creates the parts of a lab, each from those above it, but for one: the server asks who signs in
 * hands-free, which depends on its users.
 */
export function createLabParts(start: CoreLabConfig, options: PartsOptions): LabParts {
  const recorded = createRecordedParts(start, options);
  const served = createServedParts(start, options, recorded, () => chosen.handsFree);
  const chosen: ChosenParts = createChosenParts(start, options, recorded, served);
  const { seen } = chosen;
  return {
    ...recorded,
    ...served,
    ...chosen,
    memory: [
      recorded.record,
      served.unaskedSessions,
      {
        clear: () => seen.clear(),
        capture() {
          const captured = [...seen];
          return () => {
            for (const [user, value] of captured) seen.set(user, value);
          };
        },
      },
      served.vouchedRequests,
      served.cookies,
      chosen.handsFree,
    ],
  };
}

function createRecordedParts(
  start: CoreLabConfig,
  { outer, opened, waits = createWaits() }: PartsOptions,
) {
  const { issuer } = start;
  const events = createLabEvents(start);
  const clock: RestorableClock = createClock(start.now, () => {
    const now = new Date(clock.now()).toISOString();
    events.emitLabEvent({ type: "clock.moved", now, frozen: clock.frozen });
  });
  const record = createLabRecord({
    issuer,
    events,
    outer,
    onForget(step) {
      for (const { onForget } of opened) onForget?.(step);
    },
  });
  const { recorder, timeline } = record;
  return { issuer, events, clock, record, recorder, timeline, waits };
}

function createServedParts(
  start: CoreLabConfig,
  { tenants, features, opened }: PartsOptions,
  { clock, events }: RecordedParts,
  handsFree: () => HandsFree,
) {
  /** The randomness of the server, if the lab has a seed. */
  const seededBytes = start.seed === undefined ? undefined : createSeededBytes(start.seed);
  /** The requests of flows that may end at the lab without a redirect URI of their client. */
  const vouchedRequests = createVouchedRequests(clock.now);
  /** The secrets of the sessions of users who signed in hands-free, by their names. */
  const unaskedSessions = new Map<string, string>();
  const store = createRestorableStore(start.store ?? memoryStore(), (kind, id) => {
    for (const feature of opened) feature.onWrite?.(kind, id);
  });
  /** What clients have that do not have their own settings. */
  const clientDefaults = clientDefaultsOf(start, features);
  const server = createLiveServer({
    ...serverConfigOf(start, opened),
    store,
    clientDefaults,
    now: clock.now,
    onEvent: events.emitServerEvent,
    ...seededBytes && { randomBytes: seededBytes.next },
    features,
    subjects: start.dialect?.subjects,
    hooks: createLabHooks(start, { handsFree, unaskedSessions, vouchedRequests }, opened),
  });
  return {
    tenants,
    features,
    server,
    clientDefaults,
    seededBytes,
    vouchedRequests,
    unaskedSessions,
    /** The flows that the lab started itself, by their state. */
    startedFlows: secretTable<StartedFlow>(store, "lab-flow", clock.now),
    /** The cookies of each browser that a test named. */
    cookies: new Map<string, Map<string, string>>(),
  };
}

function createChosenParts(
  start: CoreLabConfig,
  options: PartsOptions,
  { clock }: RecordedParts,
  { server }: ServedParts,
) {
  const { issuer, dialect, signIn } = start;
  const address = dialectAddress(issuer, dialect, start);
  /** What the dialect remembers of users. */
  const seen = new Map<string, true>();
  const settings = createSettings(start, server, options);
  const { config } = settings;
  return {
    /** The URL that the paths of the dialect are below. */
    base: address.base,
    /** Returns the URL or path below which browsers find the pages of the lab, if it is known. */
    pagesUrl: pagesUrlOf(start),
    settings,
    config,
    handsFree: createHandsFree({
      signIn,
      userNames: () => namesOf(server.users),
      takesAnyUser: server.unknownUsers !== undefined,
      settings: config,
      context: () => server.current().context,
    }),
    /** What translates between the clients and the server; undefined if they speak the same. */
    dialect: dialect && once(async () => {
      const { createDialect } = await import("../dialect/create_dialect.ts");
      return createDialect(dialect, address, { now: clock.now, seen });
    }),
    seen,
  };
}

/** Checks the settings of the start, and returns them as those that tests can change. */
function createSettings(
  start: CoreLabConfig,
  server: LiveServer,
  { features, opened }: PartsOptions,
): LiveSettings {
  function check(changed: CoreLabConfig): void {
    const { admits } = server.current().context.hooks;
    const settings = {
      ...changed,
      userNames: namesOf(server.users),
      takesAnyUser: server.unknownUsers !== undefined,
      scopeNames: admits?.scope ? undefined : server.configuredScopes(),
    };
    checkLabSettings(settings, settingsChecks(features));
  }
  check(start);
  return createLiveSettings(start, (changed, options) => {
    // The start alone reads it, and a test may have removed the user since.
    check({ ...changed, signIn: undefined });
    server.configure(serverConfigOf(changed, opened), options);
  });
}

function namesOf(users: LiveServer["users"]): string[] {
  return users.list().map(({ name }) => name);
}

function pagesUrlOf(
  { issuer, frontChannelUrl = issuer, controlApart = false, pagesUrl }: CoreLabConfig,
): () => string | undefined {
  if (controlApart) return pagesUrl ?? (() => undefined);
  return () => `${basePath(frontChannelUrl)}/lab`;
}

/** Returns everything that was recorded, as diagrams read it. */
export function recordedIn({ issuer, recorder, timeline }: RecordedParts): RecordedFlows {
  return { issuer, exchanges: recorder.all(), flows: timeline.list() };
}
