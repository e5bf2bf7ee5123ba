import type { ServerEvent } from "../config/events.ts";
import type { UserConfig } from "../config/user_config.ts";
import { json } from "../http/response.ts";
import { listUsers } from "../issuer/admin/directory_entries.ts";
import { withdrawConsents } from "../issuer/authorizations/consents.ts";
import type { ClientConfig } from "../model/client_config.ts";
import { basePath, issuerUrl } from "../protocol/issuer_url.ts";
import { errorBody, errorFactory } from "../protocol/oauth_error.ts";
import type { InternalServer } from "../server.ts";
import { memoryStore } from "../store/memory.ts";
import { createAdmission } from "./any_client.ts";
import { createHeadlessBrowser, type UserActions } from "./browser/headless_browser.ts";
import { createClock, readSpan } from "./clock.ts";
import { control, isControl } from "./control/control.ts";
import { createLabToken, labTokenProblem } from "./control/lab_token.ts";
import { demoClients } from "./demo/demo_clients.ts";
import { demoUsers } from "./demo/demo_users.ts";
import { createDirectory } from "./directory.ts";
import { drill } from "./drill.ts";
import { emptyStore } from "./empty_store.ts";
import { createFaults } from "./faults/faults.ts";
import { withTenants } from "./faults/tenant_faults.ts";
import { handleWithInstruments, isRecorded } from "./instrumented_handler.ts";
import type { Lab } from "./lab.ts";
import { LabError, unknownName } from "./lab_error.ts";
import type { LabEvent } from "./lab_event.ts";
import { createLabServer, type LabConfig } from "./lab_server.ts";
import { mint } from "./mint.ts";
import { describeAddresses, isOwnHost } from "./own_host.ts";
import { withPageOrigin } from "./page_origin.ts";
import { belowIssuer, readWireRequest } from "./recording/exchange.ts";
import { createRecorder } from "./recording/recorder.ts";
import { createTimeline } from "./recording/timeline.ts";
import { describeReport, makeReport } from "./report/report.ts";
import { createTenants } from "./tenants.ts";
import { createWaits } from "./waits.ts";

const accessDenied = errorFactory("access_denied");

/** Opens a lab. The server in it knows nothing of it: all powers stand around its `fetch`, and work on its store. */
export function openLab(
  { anyClient, signInByHint = false, labToken, controlApart, onLabEvent, ...config }: LabConfig,
): Lab {
  const token = labToken === undefined
    ? undefined
    : createLabToken(checked(labToken), config.now ?? Date.now);
  const clock = createClock(config.now, tellClock);
  const store = config.store ?? memoryStore();
  const base = basePath(config.issuer);
  const recorder = createRecorder();
  const timeline = createTimeline(config.issuer);
  const faults = createFaults();
  const waits = createWaits();
  const aliases = new Map<string, string>();
  const around = { clock, recorder, timeline, faults, waits, aliases, signInByHint, tell };
  const admit = createAdmission();
  const listeners = new Set<(event: ServerEvent | LabEvent) => void>();
  const closers = new Set<() => void>();
  const tenants = createTenants(config, (tenant) => openLab({ labToken, controlApart, ...tenant }));
  const first = {
    users: config.users ?? demoUsers,
    clients: config.clients ?? demoClients(config),
  };
  let { users, clients } = first;
  let server = start(users, clients);
  let cleared: Promise<unknown> = Promise.resolve();

  function onEvent(event: ServerEvent): void {
    config.onEvent?.(event);
    for (const listener of listeners) listener(event);
  }

  function start(users: UserConfig[], clients: ClientConfig[]): InternalServer {
    return createLabServer({ ...config, users, clients, store, now: clock.now, onEvent });
  }

  function tell(event: LabEvent): void {
    onLabEvent?.(event);
    for (const listener of listeners) listener(event);
  }

  function tellClock(): void {
    tell({ type: "clock.moved", now: new Date(clock.now()).toISOString(), frozen: clock.frozen });
  }

  /** A change that the server refuses is none. */
  function restart(change: { users?: UserConfig[]; clients?: ClientConfig[] }): void {
    const next = { users, clients, ...change };
    server = start(next.users, next.clients);
    ({ users, clients } = next);
  }

  async function fetch(request: Request): Promise<Response> {
    await cleared;
    const url = URL.parse(request.url);
    if (!url) return await server.fetch(request);
    const tenant = tenants.of(url.pathname);
    if (tenant) return await tenant.fetch(request);
    const path = belowIssuer(url.pathname, base);
    if (isControl(path) && !controlApart) return await control(lab, request, path, token);
    const { addresses } = server.context.settings;
    if (!isOwnHost(url.hostname, addresses)) return wrongHostResponse(request, url.hostname);
    return await withPageOrigin(request, addresses, () => answer(request, url));
  }

  async function answer(request: Request, url: URL): Promise<Response> {
    const wireRequest = await readWireRequest(request, url, base);
    if (!isRecorded(wireRequest)) return await server.fetch(request);
    if (anyClient) await admit(server.context, wireRequest);
    return await handleWithInstruments(around, server, wireRequest, request);
  }

  function wrongHostResponse({ method }: Request, hostname: string): Response {
    const description = describeAddresses(hostname, server.context.settings.addresses);
    const error = accessDenied(description);
    onEvent({
      type: "request.refused",
      method,
      path: "unknown",
      status: error.status,
      error: error.code,
      description,
    });
    return json(errorBody(error), error.status);
  }

  async function fetchControl(request: Request): Promise<Response> {
    await cleared;
    const url = URL.parse(request.url);
    const tenant = url && tenants.of(url.pathname);
    if (tenant) return await tenant.control(request);
    return await control(lab, request, url ? belowIssuer(url.pathname, base) : "", token);
  }

  const report = () =>
    makeReport(
      { issuer: config.issuer, exchanges: recorder.all(), flows: timeline.list() },
      faults.idle().map(({ name }) => name),
    );

  const lab: Lab = {
    issuer: config.issuer,
    get context() {
      return server.context;
    },
    fetch,
    control: fetchControl,
    async ready() {
      await cleared;
      await server.ready();
    },
    clock,
    browser: () => createHeadlessBrowser(fetch, server.context.settings.addresses),
    async authorize(url, actions = {}) {
      const home = issuerUrl(config.frontChannelUrl ?? config.issuer, "/");
      if (!URL.canParse(url, home)) throw new LabError(`'${url}' is no URL.`);
      const { href, searchParams } = new URL(url, home);
      await checkPerson(server.context, actions);
      if (actions.decision === "deny") {
        await forgetConsents(server.context, searchParams.get("client_id") ?? "");
      }
      return await lab.browser().authorize(href, actions);
    },
    fault: (name, scope = {}) => lab.faults.add({ ...scope, name }),
    faults: withTenants(faults, tenants),
    async request({ wait = "5s", ...wish } = {}) {
      const { request: coming, forget } = recorder.take(wish);
      const taken = await waits.within(readSpan(wait), coming).finally(forget);
      if (taken) return taken;
      const paths = [
        ...new Set(recorder.all().map(({ request: wireRequest }) => wireRequest.path)),
      ];
      throw new LabError(
        `No such request came within ${wait}; there were requests to: ${
          paths.join(", ") || "nothing"
        }.`,
      );
    },
    requests: (filter) => recorder.list(filter),
    async nextRequest(filter, patience) {
      const { request, forget } = recorder.next(filter);
      return await waits.within(patience, request).finally(forget);
    },
    recorder,
    flows: () => timeline.list(),
    report,
    assertClean() {
      const found = report();
      if (!found.clean) throw new LabError(describeReport(found));
    },
    drill: (login, only) => drill(lab, login, only),
    async mint(options) {
      await cleared;
      return await mint(server.context, options);
    },
    users: createDirectory("user", ({ name }) => name, () => users, (users) => restart({ users })),
    clients: createDirectory(
      "client",
      ({ id }) => id,
      () => clients,
      (clients) => restart({ clients }),
    ),
    async tenant(config = {}) {
      await cleared;
      return await tenants.open(config);
    },
    tenants,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    reset() {
      for (const part of [recorder, timeline, faults, aliases]) part.clear();
      clock.reset();
      // Whoever does not wait is kept waiting: no request comes in between.
      cleared = Promise.all([tenants.close(), emptyStore(store)]);
      restart(first);
      return cleared.then(() => {});
    },
    onClose(listener) {
      closers.add(listener);
      return () => void closers.delete(listener);
    },
    onRelease: waits.onRelease,
    release() {
      waits.release();
      for (const id of tenants.ids()) tenants.find(id).release();
    },
    async close() {
      waits.release();
      for (const closer of closers) closer();
      await tenants.close();
      await server.close();
    },
    [Symbol.asyncDispose]: () => lab.close(),
  };
  return lab;
}

function checked(labToken: string): string {
  const problem = labTokenProblem(labToken);
  if (problem) throw new LabError(`The labToken ${problem}.`);
  return labToken;
}

/** Nobody can play a person whom the lab does not know. */
async function checkPerson(
  ctx: InternalServer["context"],
  { user, decision = "allow" }: UserActions,
): Promise<void> {
  if (decision !== "allow" && decision !== "deny") {
    throw unknownName("decision", decision, ["allow", "deny"]);
  }
  const names = (await listUsers(ctx)).map(({ value }) => value.name);
  if (user !== undefined && !names.includes(user)) throw unknownName("user", user, names);
}

/** A person who is to deny must be asked, though the same was allowed before. */
async function forgetConsents(ctx: InternalServer["context"], id: string): Promise<void> {
  await withdrawConsents(ctx, ({ clientId }) => clientId === id);
}
