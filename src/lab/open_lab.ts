import { addressesOf } from "../server/config/addresses.ts";
import type { OutboundFetch } from "../server/http/outbound_fetch.ts";
import { basePath } from "../server/protocol/issuer_url.ts";
import { once } from "../server/util/time/promises.ts";
import { createHeadlessBrowser } from "./browser/headless_browser.ts";
import { authorizeAs } from "./browser/play_user.ts";
import { idleNames } from "./control/idle.ts";
import type { InterfacePlace, Lab, TenantConfig } from "./control/lab.ts";
import { readLabToken } from "./control/lab_token.ts";
import { dialectAddress } from "./dialect/dialect_address.ts";
import { createDrills } from "./drill/drills.ts";
import type { FaultName } from "./faults/catalogue.ts";
import { type FaultPlace, places } from "./faults/places.ts";
import type { LabProbe } from "./faults/probe.ts";
import { makeRemovable } from "./faults/removable_fault.ts";
import { withTenants } from "./faults/tenant_faults.ts";
import { drawFlowOfUrl } from "./flows/flow_diagrams.ts";
import { withDialect } from "./handling/dialect_settings.ts";
import { createDispatcher } from "./handling/dispatch.ts";
import { createEvidence, historyOf } from "./handling/lab_evidence.ts";
import { createLifecycle } from "./handling/lab_lifecycle.ts";
import { createLabMcp } from "./handling/lab_mcp.ts";
import { createLabParts, type LabParts } from "./handling/lab_parts.ts";
import { openProviders } from "./handling/open_providers.ts";
import { withProvider } from "./handling/provider_settings.ts";
import type { StandIn } from "./handling/stand_in.ts";
import { createTenants } from "./handling/tenants.ts";
import { waitOnClock } from "./handling/wait_on_clock.ts";
import type { LabConfig } from "./lab_server/lab_server.ts";
import type { ChangeableSettings } from "./lab_server/replaceable_settings.ts";
import { createIssuedCredentials, type IssuedCredentials } from "./leniencies/any_grant.ts";
import { isFrontPath } from "./pages/routes/front_paths.ts";
import type { LabRecord } from "./recording/lab_record.ts";
import { describeRefused } from "./recording/refusal.ts";
import type { LabHistory } from "./report/report_rule.ts";
import { createMint } from "./tokens/create_mint.ts";
import { withGetters } from "./util/getters.ts";
import { LabError, unknownName } from "./util/lab_error.ts";
import { withChosenValues } from "./values/choose_values.ts";

type LabGetters = Pick<
  Lab,
  "context" | "handsFreeUser" | "handsFreeState" | "interfacePlace"
>;

interface LabMembers extends Omit<Lab, keyof LabGetters> {
  parts: LabParts;
  place: InterfacePlace | undefined;
}

const labGetters: LabGetters & ThisType<LabMembers> = {
  get context() {
    return this.parts.server.current().context;
  },
  get interfacePlace() {
    return this.place ?? this.parts.server.current().context.settings;
  },
  get handsFreeUser() {
    return this.parts.handsFree.next()?.user;
  },
  get handsFreeState() {
    return this.parts.handsFree.next() ?? { user: null };
  },
};

/** Most tests need neither the pages of a lab nor its interface over HTTP. */
const loadInterface = once(() => import("./pages/routes/handle_page.ts"));
const loadEvaluate = once(() => import("./evaluate/evaluate.ts"));
const loadFrontPages = once(() => import("./pages/routes/front_pages.ts"));
const loadFlowFile = once(() => import("./pages/flows/saved/flow_file.ts"));
const loadTokenFile = once(() => import("./handling/token_file.ts"));
const loadTenantFetch = once(() => import("./handling/fetch_from_tenants.ts"));
const loadReplay = once(() => import("./client_role/replay/replay_request.ts"));

/** What a lab shares with the one that it is a tenant of, or with what watches it. */
export interface LabSurroundings {
  /** The memory of what was issued. */
  issuedAround?: IssuedCredentials | undefined;
  /** Where the interface over HTTP is, if that is not below the issuer. */
  place?: InterfacePlace | undefined;
  probe?: LabProbe | undefined;
  /** What responds in place of the server. */
  standIn?: StandIn | undefined;
  /** The lab whose record this one takes part in, as a tenant. */
  joined?: JoinedLab | undefined;
  /** Is called after a reset, with the tenants of its providers open again. */
  afterReset?: ((lab: Lab) => Promise<void>) | undefined;
}

/** A lab whose record a tenant takes part in. */
interface JoinedLab extends Pick<Lab, "handlerOf"> {
  record: LabRecord;
}

export function openLab(
  given: LabConfig,
  { issuedAround, place, probe, standIn, joined, afterReset }: LabSurroundings = {},
): Lab {
  const { controlApart = false, labToken, ...config } = withDialect(given);
  const token = readLabToken(labToken, config.now ?? Date.now);
  // It grows with each token, so only a lab that needs it has one.
  const issued = issuedAround ?? (config.anyGrant && createIssuedCredentials());
  const tenants = createTenants(
    { ...config, issuer: dialectAddress(config.issuer, config.dialect).base },
    (tenant, { place: tenantPlace, recordedAs }) => {
      if (place && tenantPlace) {
        throw new LabError("A tenant of a tenant cannot choose its issuer.");
      }
      const { seed, drillOrigins } = config;
      const shared = { labToken, controlApart, seed, drillOrigins };
      const beside = () => [lab, ...tenants.ids().map(tenants.find)];
      const known = issued ?? (tenant.anyGrant && createIssuedCredentials(beside));
      return openLab({ ...shared, ...tenant }, {
        issuedAround: known,
        place: tenantPlace,
        probe,
        joined: recordedAs === undefined ? undefined : {
          record: {
            recorder: parts.recorder,
            timeline: parts.timeline,
            tenant: recordedAs,
          },
          handlerOf: lab.handlerOf,
        },
      });
    },
  );
  const { addresses } = addressesOf(config);
  const places = { ofUrl: tenants.ofUrl, addresses };
  const fetch: OutboundFetch | undefined = config.enterprise
    ? async (url, init) => {
      const { fetchFromTenants } = await loadTenantFetch();
      return await fetchFromTenants(places, config.fetch)(url, init);
    }
    : config.fetch;
  const parts = createLabParts(
    { ...config, controlApart, ...fetch && { fetch } },
    tenants,
    { issued, probe, standIn, record: joined?.record },
  );
  const { server, clock, events } = parts;
  const mcp = createLabMcp(parts);
  const dispatcher = createDispatcher(parts, {
    controlApart,
    controlBase: place?.base ?? basePath(config.issuer),
    async control(request, path) {
      const { respondToLabRequest } = await loadInterface();
      return await respondToLabRequest(lab, {
        request,
        path,
        token,
        isApart: controlApart,
        place: lab.interfacePlace,
      });
    },
    async front(request, path) {
      if (!isFrontPath(path)) return undefined;
      const { respondToFrontRequest } = await loadFrontPages();
      return await respondToFrontRequest(lab, {
        request,
        path,
        token,
        isApart: controlApart,
        place: lab.context.settings,
      });
    },
    mcp,
  });

  const drills = createDrills(() => lab, {
    origins: config.drillOrigins ?? [],
    onProgress: ({ state, total, outcomes }) =>
      events.emitLabEvent({ type: "drill.advanced", state, done: outcomes.length, total }),
  });
  const lifecycle = createLifecycle(parts, drills);
  const lab: Lab = withGetters<LabMembers, LabGetters>({
    parts,
    place,
    ...lifecycle,
    async reset() {
      await lifecycle.reset();
      await openProviders(lab, parts.settings.config());
      await afterReset?.(lab);
    },
    ...createEvidence(parts, () => idleNames(lab)),
    issuer: config.issuer,
    ...dispatcher,
    contextOf: (request, observer) => server.current().contextOf(request, observer),
    subscribe: events.subscribe,
    clock,
    browser() {
      const { addresses, paths } = lab.context.settings;
      return createHeadlessBrowser({
        fetch: lab.fetch,
        addresses,
        paths,
        describeRefused: (url) => describeRefused(lab.exchanges(), url),
        now: clock.now,
        waitUntil: (instant) => waitOnClock(parts, instant),
      });
    },
    async authorize(url, actions = {}) {
      try {
        return await authorizeAs(lab.context, lab.browser(), url, actions);
      } catch (cause) {
        throw cause instanceof LabError ? withDiagram(cause, url, historyOf(parts)) : cause;
      }
    },
    mint: createMint(async (state) => {
      await server.settled();
      return withChosenValues(lab.context, parts.values, state);
    }, parts.dialect),
    async evaluate(options) {
      const { evaluate } = await loadEvaluate();
      return await evaluate(parts, options);
    },
    async tokenFile(path, options = {}) {
      const { openTokenFile } = await loadTokenFile();
      const { workloadTokens } = config.dialect ?? {};
      const file = await openTokenFile(lab, parts, { path, tokens: workloadTokens, options });
      lab.onClose(file.remove);
      return file;
    },
    users: server.users,
    clients: server.clients,
    signIn: (user, options) => parts.handsFree.set(user, options),
    fault: (name, scope = {}) => makeRemovable(lab.faults, lab.faults.add({ ...scope, name })),
    on(point, change, { tenant, ...scope } = {}) {
      if (tenant === undefined) return parts.hooks.on(point, change, scope);
      return tenants.find(tenant).on(point, change, scope);
    },
    next: (at, { times = 1, ...response } = {}) =>
      makeRemovable(lab.faults, lab.faults.add({ ...response, times, name: preparedFault(at) })),
    addClaims(claims, { tenant, ...scope } = {}) {
      if (tenant === undefined) return parts.hooks.addClaims(claims, scope);
      return tenants.find(tenant).addClaims(claims, scope);
    },
    values({ tenant, ...options }) {
      if (tenant === undefined) {
        return parts.values.add(
          options,
          server.clients.list().map(({ id }) => id),
        );
      }
      return tenants.find(tenant).values(options);
    },
    chosenValues: parts.values,
    mcp: mcp.mcp,
    mcpPlace: mcp.mcpPlace,
    clientDocument: mcp.clientDocument,
    documents: mcp.documents,
    changeResponse(at, { tenant, ...change }) {
      if (tenant !== undefined) return tenants.find(tenant).changeResponse(at, change);
      return parts.hooks.changeResponse({ ...change, at });
    },
    settings: parts.settings,
    configure: (changes) => parts.settings.change(changes as ChangeableSettings),
    hooks: parts.hooks,
    startedFlows: parts.startedFlows,
    vouchedRequests: parts.vouchedRequests,
    exportFlow: async (id) => (await loadFlowFile()).exportFlow(lab, id),
    replay: async (id, changes) => (await loadReplay()).replayRequest(lab, id, changes),
    faults: withTenants(parts.faults, tenants),
    drill: drills.run,
    drillMcp: drills.runMcp,
    drillProgress: drills.progress,
    handlerOf: joined?.handlerOf ??
      (({ tenant }) => tenant === undefined ? lab : tenants.find(tenant)),
    exchanges: () => parts.recorder.all(),
    clearRequests: () => parts.recorder.clear(),
    tenants,
    async tenant(config: TenantConfig & Pick<LabConfig, "enterprise"> = {}) {
      await server.settled();
      if (config.enterprise) {
        throw new LabError("'enterprise' is for a whole lab, not for a tenant.");
      }
      return tenants.open(await withProvider(config));
    },
    [Symbol.asyncDispose]: () => lab.close(),
  }, labGetters);
  return lab;
}

/** Returns the name of the fault that sends a response of the test's own. */
function preparedFault(at: FaultPlace): FaultName {
  const names = Object.keys(places);
  if (at === undefined) throw new LabError(`'at' is missing. Choose one of: ${names.join(", ")}.`);
  if (!names.includes(at)) throw unknownName("place for a response", String(at), names);
  return `${at}.response`;
}

/** Adds the diagram of the flow in which an authorization got stuck. */
function withDiagram(error: LabError, url: string, history: LabHistory): LabError {
  const diagram = drawFlowOfUrl(url, history);
  return diagram === undefined ? error : new LabError(`${error.message}\n\n${diagram}`);
}
