import { secretTable, type Table } from "../../server/issuer/records/table.ts";
import type { AssertionProblem } from "../../server/issuer/wrapper_answers.ts";
import { basePath } from "../../server/protocol/issuer_url.ts";
import { memoryStore } from "../../server/store/memory.ts";
import { once } from "../../server/util/time/promises.ts";
import type { Tenants } from "../control/lab.ts";
import type { SpokenDialect } from "../dialect/create_dialect.ts";
import { dialectAddress } from "../dialect/dialect_address.ts";
import type { ClientSecretJwt } from "../dialect/request_settings.ts";
import { createFaults, type Faults } from "../faults/faults.ts";
import { withForgedLogoutTokens } from "../faults/forge_logout_token.ts";
import type { LabProbe } from "../faults/probe.ts";
import { createHooks, type Hooks } from "../hooks/hooks.ts";
import { checkPowers } from "../lab_server/check_powers.ts";
import { type LabConfig, labNotice, type LabServerConfig } from "../lab_server/lab_server.ts";
import {
  createReplaceableServer,
  type ReplaceableServer,
} from "../lab_server/replaceable_server.ts";
import {
  createReplaceableSettings,
  type ReplaceableSettings,
} from "../lab_server/replaceable_settings.ts";
import { createRestorableStore } from "../lab_server/snapshots.ts";
import type { StartedFlow } from "../lab_server/started_flow.ts";
import { createVouchedRequests, type VouchedRequests } from "../lab_server/vouched_requests.ts";
import { createPresumeGrant, type IssuedCredentials } from "../leniencies/any_grant.ts";
import { clientLeniencyNames, leniencyNames } from "../leniencies/leniency_names.ts";
import { createResponseTypes, type ResponseTypes } from "../leniencies/response_types.ts";
import { type ClientDocuments, createClientDocuments } from "../mcp/client_documents.ts";
import { createMcpTools, type McpTools } from "../mcp/mcp_tools.ts";
import type { Exchange } from "../recording/exchange.ts";
import { createLabEvents, type FiredFault, type LabEvents } from "../recording/lab_event.ts";
import { createLabRecord, type LabRecord } from "../recording/lab_record.ts";
import type { Recorder } from "../recording/recorder.ts";
import type { Timeline } from "../recording/timeline.ts";
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
import type { StandIn } from "./stand_in.ts";

/** The parts of a lab. The server among them does not know the others: they wrap its `fetch`. */
export interface LabParts {
  readonly issuer: string;
  /** Returns the URL or path below which browsers find the pages of the lab, if it is known. */
  readonly pagesUrl: () => string | undefined;
  /** Returns the current settings of the lab. */
  readonly powers: () => LabConfig;
  readonly settings: ReplaceableSettings;
  readonly handsFree: HandsFree;
  readonly responseTypes: ResponseTypes;
  /** Returns the leniencies that are on, by their names; those of every lab once they had effect. */
  readonly leniencies: () => readonly string[];
  readonly server: ReplaceableServer;
  readonly tenants: Tenants;
  /** What translates between the clients and the server; undefined if they speak the same. */
  readonly dialect: (() => Promise<SpokenDialect>) | undefined;
  /** What the dialect remembers of users. */
  readonly seen: Set<string>;
  /** The URL that the paths of the dialect are below. */
  readonly base: string;
  readonly events: LabEvents;
  readonly clock: RestorableClock;
  /** Replaces the randomness of the server, if the lab has a seed. */
  readonly seededBytes: SeededBytes | undefined;
  readonly waits: Waits;
  readonly recorder: Recorder;
  readonly timeline: Timeline;
  /** Where the record says that an exchange took place. */
  readonly origin: Pick<Exchange, "issuer" | "tenant">;
  readonly faults: Faults;
  /** What watches the lab, if anything does. */
  readonly probe: LabProbe | undefined;
  /** What responds in place of the server, if anything does. */
  readonly standIn: StandIn | undefined;
  readonly hooks: Hooks;
  readonly values: Values;
  /** The clients that asked for more scopes of the MCP server than they registered for. */
  readonly steppedUp: Set<string>;
  /** The tools of the MCP server. */
  readonly mcpTools: McpTools;
  /** The metadata documents of clients that the lab hosts. */
  readonly clientDocuments: ClientDocuments;
  /** Maps a refresh token that a client got to the one that the server knows. */
  readonly aliases: Map<string, string>;
  /** What a fault remembers from one request to the next, by the id of the fault. */
  readonly memory: Map<string, string>;
  /** The flows that the lab started itself, by their state. */
  readonly startedFlows: Table<StartedFlow>;
  /** The requests of such flows that may end at the lab without a redirect URI of their client. */
  readonly vouchedRequests: VouchedRequests;
}

/** Returns the line at the top of every page, which says who signs in without one. */
function noticeFor(
  skipped: SkippedPages,
  notice: string = labNotice,
): string {
  return [notice, handsFreeNotice(skipped)].filter((each) => each !== undefined).join(" ");
}

/** Returns the configuration of the server in a lab: without what only the lab knows. */
function serverConfigOf({
  signIn: _signIn,
  signInByHint: _hint,
  consent: _consent,
  seed: _seed,
  anyClient: _client,
  unknownClientPkce: _pkce,
  anyScope: _scope,
  mcpStepUp: _stepUp,
  anyGrant: _grant,
  drillOrigins: _origins,
  responseTypes: _types,
  redirectStatus: _status,
  responseChanges: _changes,
  clientDefaults: _defaults,
  dialect: _dialect,
  provider: _provider,
  providers: _providers,
  accounts: _accounts,
  hosts: _hosts,
  enterprise: _enterprise,
  onLabEvent: _listener,
  errorUri: _uri,
  controlApart: _apart,
  pagesUrl: _pages,
  labToken: _token,
  ...config
}: LabConfig): LabServerConfig {
  return config;
}

/** Loads the check of client assertions when there is one. */
function createAssertionCheck(form: ClientSecretJwt): AssertionProblem {
  const check = once(async () => {
    const { createSecretCheck } = await import("../dialect/client_secret_jwt.ts");
    return createSecretCheck(form);
  });
  return async (...given) => await (await check())(...given);
}

/** What the parts of a lab get from around it. */
interface PartsAround {
  /** The memory of what was issued, if the lab has one. */
  issued: IssuedCredentials | undefined;
  probe: LabProbe | undefined;
  /** The record of the lab around this one, if it takes part in it. */
  record: LabRecord | undefined;
  standIn: StandIn | undefined;
}

export function createLabParts(
  labConfig: LabConfig,
  tenants: Tenants,
  { issued, probe, standIn, record = createLabRecord(labConfig.issuer) }: PartsAround,
): LabParts {
  const {
    signIn,
    seed,
    anyGrant,
    responseTypes = ["code"],
    responseChanges = [],
    dialect,
    onLabEvent,
    controlApart = false,
    pagesUrl = () => undefined,
  } = labConfig;
  const faults = createFaults(probe?.faults);
  const sending = () => ({
    faults,
    probe,
    server: server.current(),
    onFired: (fired: FiredFault) => events.emitLabEvent({ type: "fault.fired", ...fired }),
  });
  const config = withForgedLogoutTokens(serverConfigOf(labConfig), sending);
  const address = dialectAddress(labConfig.issuer, dialect, labConfig);
  const seen = new Set<string>();
  const events = createLabEvents({ onEvent: config.onEvent, onLabEvent });
  const clock = createClock(config.now, emitClock);
  const seededBytes = seed === undefined ? undefined : createSeededBytes(seed);
  const powers = () => settings.config();
  const skipsConsent = () => powers().consent === "skip";
  const configured = { user: signIn, skipsConsent: labConfig.consent === "skip" };
  const vouchedRequests = createVouchedRequests(clock.now);
  const steppedUp = new Set<string>();
  const clientDocuments = createClientDocuments(config.issuer);
  const store = createRestorableStore(config.store ?? memoryStore(), issued?.addRow);
  issued?.addIssuer(config.issuer);
  // What is no list is reported below, with every other problem.
  const allowedResponses = createResponseTypes(Array.isArray(responseTypes) ? responseTypes : []);
  const server = createReplaceableServer({
    ...config,
    anyScope: labConfig.anyScope,
    entryDefaults: {
      client: {
        ...allowedResponses.clientModes && { responseModes: allowedResponses.clientModes },
        ...labConfig.clientDefaults,
      },
      subjects: dialect?.subjects,
    },
    answers: {
      answerForUser: (question) => answerForUser(question),
      vouchForRedirect: vouchedRequests.take,
      assertionProblem: dialect?.clientSecretJwt && createAssertionCheck(dialect.clientSecretJwt),
      confirmsLogout: dialect?.logout?.confirmation === "skip",
      hostedDocuments: clientDocuments.byUrl,
      ...anyGrant && issued && { presumeGrant: createPresumeGrant(anyGrant, issued) },
      ...labConfig.anyScope && { addsScope: (token) => !server.configuredScopes().includes(token) },
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
    skipsConsent,
    userNames,
    scopeNames: () => [...server.current().context.settings.scopes.keys()],
    onChange: showNotice,
  });
  const answerForUser = createAnswerForUser(() => ({
    handsFree,
    signInByHint: powers().signInByHint ?? false,
  }));
  const check = (changed: LabConfig) =>
    checkPowers({ ...changed, userNames: userNames(), scopeNames: server.configuredScopes() });
  check(labConfig);
  const noticeOf = (changed: LabConfig) =>
    noticeFor(
      { user: undefined, ...handsFree.next(), skipsConsent: changed.consent === "skip" },
      changed.notice,
    );
  const settings = createReplaceableSettings(labConfig, (changed) => {
    check({ ...changed, signIn: undefined });
    const changedConfig = withForgedLogoutTokens(serverConfigOf(changed), sending);
    server.configure({ ...changedConfig, notice: noticeOf(changed) });
  });

  function showNotice(): void {
    server.setNotice(noticeOf(powers()));
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
    powers,
    settings,
    handsFree,
    responseTypes: allowedResponses,
    leniencies: () => [
      ...standIn?.leniencies ?? [],
      ...leniencyNames(powers()),
      ...steppedUp.size > 0 ? ["mcpStepUp"] : [],
      ...clientLeniencyNames(server.clients.list()),
    ],
    steppedUp,
    server,
    tenants,
    dialect: dialect && once(async () => {
      const { createDialect } = await import("../dialect/create_dialect.ts");
      return createDialect(dialect, address, { now: clock.now, seen });
    }),
    seen,
    base: address.base,
    events,
    clock,
    seededBytes,
    waits: createWaits(),
    recorder: record.recorder,
    timeline: record.timeline,
    origin: { issuer: config.issuer, tenant: record.tenant },
    faults,
    probe,
    standIn,
    hooks: createHooks(responseChanges),
    values: createValues(),
    mcpTools: createMcpTools(),
    clientDocuments,
    aliases: new Map(),
    memory: new Map(),
    startedFlows: secretTable(store, "lab-flow", clock.now),
    vouchedRequests,
  };
}
