import type { UserConfig } from "../../server/config/user_config.ts";
import type { ClientConfig } from "../../server/features.ts";
import type { Application } from "../../server/http/application.ts";
import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import type { Table } from "../../server/issuer/records/table.ts";
import type { InternalServer } from "../../server/server.ts";
import type { AuthorizationResult } from "../browser/authorization_result.ts";
import type { HeadlessBrowser } from "../browser/headless_browser.ts";
import type { UserActions } from "../browser/user_actions.ts";
import type { DrillLogin, DrillProgress, McpDrillOptions } from "../drill/drill_progress.ts";
import type { DrillResult } from "../drill/drill_result.ts";
import type { FaultName } from "../faults/catalogue.ts";
import type { FaultOptions, QueuedResponse, RemovableFault } from "../faults/fault.ts";
import type { FaultList } from "../faults/faults.ts";
import type { FlowScope } from "../faults/flow_scope.ts";
import type { FaultPlace } from "../faults/places.ts";
import type { ResponseChange } from "../faults/response_change.ts";
import type { Replay } from "../flows/replay/compare_exchanges.ts";
import type { ReplayChanges } from "../flows/replay/replay_changes.ts";
import type { Hook, HookChange, HookPoint, HookScope } from "../hooks/hook.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { Directory } from "../lab_server/directory.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";
import type { ReplaceableSettings } from "../lab_server/replaceable_settings.ts";
import type { StartedFlow } from "../lab_server/started_flow.ts";
import type { VouchedRequests } from "../lab_server/vouched_requests.ts";
import type { ClientDocument, ClientDocuments, HostedMetadata } from "../mcp/client_documents.ts";
import type { McpOptions, McpServer } from "../mcp/mcp_tool.ts";
import type { Exchange } from "../recording/exchange.ts";
import type { LabListener } from "../recording/lab_event.ts";
import type { RecordedRequest } from "../recording/recorded_request.ts";
import type { RequestFilter } from "../recording/recorder.ts";
import type { FlowTrace } from "../recording/timeline.ts";
import type { WaitOptions } from "../recording/wait_for_request.ts";
import type { CleanOptions, LabRemarks, Report } from "../report/report.ts";
import type { HandsFreeState, SignInOptions } from "../sign_in/hands_free.ts";
import type { MintedTokens } from "../tokens/mint.ts";
import type { MintCodeOptions, MintedCode } from "../tokens/mint_code.ts";
import type { MintOptions } from "../tokens/mint_options.ts";
import type { LabClock } from "../util/clock.ts";
import type { ChosenValues, ValueOptions } from "../values/chosen_values.ts";
import type { Values } from "../values/values.ts";
import type { EvaluateOptions, Evaluation } from "./evaluation.ts";
import type { TenantConfig } from "./tenant_config.ts";

/** A response of a lab. */
export interface LabResponse extends ResponseData {
  /** The error that a client in this process gets in place of the response. */
  failure?: unknown;
}

/** What a test can do with a lab. The functions can be destructured. */
export interface LabTools {
  // Users and clients

  /** Signs a user in and gives consent, on the real pages; returns the authorization response. */
  authorize(url: string, actions?: UserActions): Promise<AuthorizationResult>;
  /** Opens a browser that stays signed in, for several authorizations in a row. */
  browser(): HeadlessBrowser;
  /**
   * Signs a user in hands-free: from now on, the lab responds to every authorization request at
   * once, without a page, and the user consents to all of it, unless `decision` or `grant` say
   * otherwise. `times: 1` means the next request alone; `false` brings the sign-in page back.
   */
  signIn(user: string | false, options?: SignInOptions): void;
  /** Issues tokens without a request. The server can introspect, refresh and revoke them. */
  mint(options: MintOptions): Promise<MintedTokens>;
  /**
   * Issues a code without a request, for a test that begins at the callback: `lab.mint({ kind:
   * "code", user: "alice" })`. The client redeems it once, as any other.
   */
  mint(options: MintCodeOptions): Promise<MintedCode>;
  /**
   * Returns the tokens and the userinfo response that a client would get for a user, or the
   * refusal: `lab.evaluate({ user: "alice", client: "web", scope: "openid email" })`. It stores,
   * counts and records nothing. Policies and hooks run; faults do not.
   *
   * @throws {LabError} An option is invalid, or there is no such user or client.
   */
  evaluate(options: EvaluateOptions): Promise<Evaluation>;
  /** The users, which a test may add, change and remove at any time. */
  readonly users: Directory<UserConfig>;
  /** The clients, which a test may add, change and remove at any time. */
  readonly clients: Directory<ClientConfig>;

  // Time

  /** The clock behind all issue and expiry times; a test may move or stop it. */
  readonly clock: LabClock;

  // Hooks and queued responses

  /**
   * Adds a hook, which changes what the server sends: `lab.on("token", ({ claims }) => {
   * claims.roles = ["admin"]; })`. A changed token is signed again with the server's key. If the
   * hook throws, the request that it met rejects with its error; no other request is affected.
   */
  on<Point extends HookPoint>(point: Point, change: HookChange<Point>, scope?: HookScope): Hook;
  /**
   * Queues a response, which the lab sends in place of the server's, once unless `times` says
   * otherwise: `lab.next("userinfo", { status: 503 })`.
   */
  next(at: FaultPlace, response?: QueuedResponse): RemovableFault;
  /** Adds claims to access tokens and ID tokens, and to userinfo for these access tokens. */
  addClaims(claims: Record<string, unknown>, scope?: FlowScope): Hook;

  /**
   * Changes the responses of an endpoint by data: members of their JSON, headers, the status.
   * `lab.changeResponse("userinfo", { unset: ["email"], times: 1 })`.
   *
   * @throws {LabError} The change is invalid.
   */
  changeResponse(at: FaultPlace, change: ResponseChange & FlowScope): Hook;

  // Chosen values

  /**
   * Chooses codes, tokens, client ids and secrets, in place of random ones: `lab.values({ code:
   * "abc", accessToken: ["first", "second"], client: "web" })`. A text is used each time, a list
   * once. The values are real: they expire, are redeemed once, refreshed and revoked. One that
   * exists already belongs to its new owner from then on.
   *
   * @throws {LabError} There is no such kind of value, or a value is invalid.
   */
  values(options: ValueOptions): ChosenValues;

  // Clients of the Model Context Protocol

  /**
   * Returns the URL of the MCP server of the lab, which is all that a client needs to know. With
   * options, it has the tools of the test: `lab.mcp({ tools: { add: { call: ({ a, b }) => a + b } }
   * })`; before that, those of the lab: whoami, read_notes, write_note, approve_payment.
   *
   * @throws {LabError} A tool is invalid, or the lab has no such server; nothing has changed.
   */
  mcp(options?: McpOptions): McpServer;
  /**
   * Hosts the metadata document of a client (OAuth Client ID Metadata Document), which the lab
   * accepts by its URL as `client_id`: `lab.clientDocument({ redirect_uris: [callback] }).url`.
   * With the member `client_id`, the document is that of a real client, which is not fetched.
   *
   * @throws {LabError} The document is too large, its URL is invalid or taken, or the lab hosts too
   * many.
   */
  clientDocument(document: HostedMetadata & Record<string, unknown>): ClientDocument;

  // Settings

  /**
   * Changes settings of the lab while it runs, as JSON Merge Patch does (RFC 7396): members are
   * merged, and `null` removes one. `lab.configure({ lifetimes: { code: "5s" } })`. What is about
   * who may reach the lab, or what the lab may reach, is set at its start only.
   *
   * @throws {LabError} A setting is invalid, or set at the start only; nothing has changed.
   */
  configure(changes: SettingChanges): void;

  // Faults

  /**
   * Makes the lab misbehave: `lab.fault("token.server_error", { times: 1 })`. With `using fault =
   * lab.fault(…)`, it ends with the block, so that an idle one does not meet the next test.
   */
  fault(name: FaultName, conditions?: Omit<FaultOptions, "name">): RemovableFault;
  /** The faults that the test added, and how often each one fired. */
  readonly faults: FaultList;
  /**
   * Runs a login of your application once under each variant, and returns which hostile ones it
   * accepted, and which valid ones it refused. The login is a function that resolves if the user is
   * signed in, and rejects, or resolves to `false`, if not. Or it is the URL of an application on
   * this machine, which a browser of the lab visits: `{ start: "http://localhost:3000/login" }`.
   * `only` selects variants by their faults.
   *
   * @throws {LabError} The login fails even without a fault, so that the drill would prove nothing.
   */
  drill(login: DrillLogin, only?: readonly FaultName[]): Promise<DrillResult>;
  /**
   * Runs your client of the Model Context Protocol once under each variant of what it meets at
   * `lab.mcp().url`: wrong or missing metadata, wrong issuers, challenges without end. `connect`
   * begins without tokens and resolves if a tool call succeeded; or it is an application that does
   * so once its user signed in, as for `drill`. `only` selects variants by their faults. `tenant`
   * names the tenant whose server misbehaves: one that has an MCP server, or the identity provider
   * of an enterprise, whose ID-JAGs go wrong as well. The section of each variant names the
   * proposal (SEP) that the rule comes from.
   *
   * @throws {LabError} It fails even without a fault, so that the drill would prove nothing.
   */
  drillMcp(
    connect: DrillLogin,
    only?: readonly FaultName[],
    options?: McpDrillOptions,
  ): Promise<DrillResult>;

  // Evidence

  /** Returns the recorded requests with their responses, the newest last. */
  requests(filter?: RequestFilter): RecordedRequest[];
  /**
   * Returns the oldest matching request that no earlier call has returned, and waits for one to
   * come if there is none yet.
   *
   * @throws {LabError} No matching request came in time; the message lists what came instead.
   */
  waitForRequest(filter?: RequestFilter, options?: WaitOptions): Promise<RecordedRequest>;
  /**
   * Sends a recorded request again, with changes, and compares both: what they send, what came, and
   * which rules differ. `lab.replay(7, { parameters: { redirect_uri: "https://other.example" },
   * fresh: true })`. The report is about clients, and does not count replays.
   *
   * @throws {LabError} There is no such request, a change is invalid, or the lab cannot make it.
   */
  replay(request: number, changes?: ReplayChanges): Promise<Replay>;
  /** Returns what happened in each authorization, from the request to the last use of a token. */
  flows(): FlowTrace[];
  /**
   * Returns a flow as one HTML file, without secrets: its diagram, what was issued, and every step.
   * It loads nothing, so it can be attached to an issue and opened from a disk.
   *
   * @throws {LabError} There is no such flow.
   */
  exportFlow(id: string): Promise<string>;
  /** Reports the rules that the clients broke, and what they could do better. */
  report(): Report;
  /**
   * Does nothing if the clients broke no rule, and with `{ refused: true }`, if the server refused
   * none of their requests either. Requests that were refused because of a fault don't count.
   *
   * @throws {LabError} A client broke a rule; the message lists the report's findings.
   */
  assertClean(options?: CleanOptions): void;

  // The lab itself

  /** Returns everything to how it was at the start, except the signing keys. */
  reset(): Promise<void>;
  /**
   * Remembers the users, the clients, the clock and everything stored: sessions, consents, tokens,
   * keys. Returns the id of the snapshot.
   */
  snapshot(): Promise<string>;
  /**
   * Returns to a snapshot, as often as a test likes. Faults, hooks, queued responses and records
   * are removed, and hands-free sign-in is as configured; tenants stay.
   *
   * @throws {LabError} There is no such snapshot.
   */
  restore(snapshot: string): Promise<void>;
}

/** A server with the powers that a test needs and a production server must never have. */
export interface Lab extends InternalServer, LabTools {
  readonly respond: (request: IncomingRequest) => Promise<LabResponse>;
  tenant(config?: TenantConfig): Promise<Lab>;
  [Symbol.asyncDispose](): Promise<void>;

  // What only the program and the interface over HTTP use.

  /** The user whom the next authorization request signs in, if hands-free sign-in is on. */
  readonly handsFreeUser: string | undefined;
  /** Who signs in without a page, and what that user decides. */
  readonly handsFreeState: HandsFreeState;

  /** Returns the token that the server issued, for one that a client got: a dialect shapes them. */
  originalOf(token: string): Promise<string>;

  /** Returns the URL of the MCP server, or why the lab has none. */
  mcpPlace(): McpPlace;
  readonly documents: Pick<ClientDocuments, "list" | "remove">;
  readonly settings: Pick<ReplaceableSettings, "config" | "read" | "reset">;
  /** Where the interface over HTTP is. */
  readonly interfacePlace: InterfacePlace;
  /** Returns the progress of the current drill, or the result of the last one. */
  drillProgress(): DrillProgress;
  readonly hooks: Pick<Hooks, "idle" | "list" | "clear">;
  readonly chosenValues: Pick<Values, "list" | "removeAll">;
  /** The flows that the lab started itself, by their state. */
  readonly startedFlows: Table<StartedFlow>;
  /** The requests of such flows that may end at the lab without a redirect URI of their client. */
  readonly vouchedRequests: VouchedRequests;
  /** Serves only the interface over HTTP, on a separate port. */
  readonly control: Application;
  readonly tenants: Tenants;
  /** Waits for a request that is still to come; undefined if none comes within the time. */
  nextRequest(filter: RequestFilter, milliseconds: number): Promise<RecordedRequest | undefined>;
  /** Handles a request that the lab itself sends, and returns the exchange that records it. */
  recordExchange(
    request: IncomingRequest,
    sentByLab: Pick<Exchange, "replayOf" | "isOwnRoute">,
  ): Promise<Exchange | undefined>;
  /** Returns the lab that responded to a recorded request: this one, or a tenant that is open. */
  handlerOf(exchange: Pick<Exchange, "tenant">): Lab | undefined;
  /** Everything recorded, the newest last. It contains secrets. */
  exchanges(): readonly Exchange[];
  /** Returns what the lab adds to its report, and its tenants with their names. */
  reportRemarks(): LabRemarks;
  clearRequests(): void;
  /** Calls a listener for every event from now on; returns a function that ends this. */
  subscribe(listener: LabListener): () => void;
  /** Ends everything that keeps a connection open: delayed responses, and streams of events. */
  release(): void;
  /** Registers a callback for `release`; returns a function that unregisters it. */
  onRelease(listener: () => void): () => void;
  /** Registers a callback for `close`; returns a function that unregisters it. */
  onClose(listener: () => void): () => void;
}

/** Where the MCP server of a lab is, or why it has none. */
export interface McpPlace {
  url?: string;
  problem?: string;
}

/** Changes of the settings of a lab; `null` removes one. */
export type SettingChanges = { readonly [Name in keyof LabConfig]?: LabConfig[Name] | null };

/** Where the interface of a lab over HTTP is. */
export interface InterfacePlace {
  /** The path above `/lab`. */
  base: string;
  /** The addresses whose pages may use it. */
  addresses: readonly string[];
}

/** The issuers that share a lab's process, each below a different path. */
export interface Tenants {
  open(config: TenantConfig): Lab;
  /** Finds the tenant whose issuer a URL belongs to. */
  ofUrl(url: URL): Lab | undefined;
  /** Finds the tenant whose interface over HTTP has a path. */
  ofControlPath(pathname: string): Lab | undefined;
  /** Whether a host is that of a tenant, and not of the lab. */
  hasHost(hostname: string): boolean;
  /** Returns the issuers that tenants chose. */
  chosenIssuers(): string[];
  /** Returns the tenant with an id; throws a `LabError` if there is none. */
  find(id: string): Lab;
  ids(): string[];
  /** Closes one tenant, or all. */
  close(id?: string): Promise<void>;
}
