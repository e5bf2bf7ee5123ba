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
import type { Directory } from "../lab_server/directory.ts";
import type { LiveSettings } from "../lab_server/live_settings.ts";
import type { StartedFlow } from "../lab_server/started_flow.ts";
import type { VouchedRequests } from "../lab_server/vouched_requests.ts";
import type { Exchange, SentByLab } from "../recording/exchange.ts";
import type { LabListener } from "../recording/lab_event.ts";
import type { RecordedRequest } from "../recording/recorded_request.ts";
import type { RequestFilter } from "../recording/recorder.ts";
import type { FlowTrace } from "../recording/timeline.ts";
import type { WaitOptions } from "../recording/wait_for_request.ts";
import type { HandsFreeState, SignInOptions } from "../sign_in/hands_free.ts";
import type { MintedTokens } from "../tokens/mint.ts";
import type { MintCodeOptions, MintedCode } from "../tokens/mint_code.ts";
import type { MintOptions } from "../tokens/mint_options.ts";
import type { LabClock } from "../util/clock.ts";
import type { LabRemarks } from "./remarks.ts";
import type { CoreTenantConfig } from "./tenant_config.ts";

export interface LabResponse extends ResponseData {
  /** The error that a client in this process gets in place of the response. */
  failure?: unknown;
}

/** What a test can do with the core of a lab. The functions can be destructured. */
export interface CoreTools {
  // Users and clients

  /**
   * Signs a user in and gives consent on the real pages, without a browser; returns the
   * authorization response. `url` may be the `verification_uri_complete` of a device.
   */
  authorize(url: string, actions?: UserActions): Promise<AuthorizationResult>;
  /**
   * Opens a browser that stays signed in, for several authorizations and a sign-out. A name returns
   * the same one until a reset.
   */
  browser(name?: string): HeadlessBrowser;
  /**
   * Signs a user in hands-free: the lab responds to every authorization request at once, without a
   * page or a cookie, and the user consents to all of it, unless `decision` or `grant` limit that.
   * `times: 1` means the next one alone; `false` brings the sign-in page back. `acr`, `amr` and
   * `authTime` become claims; a request that needs a later sign-in gets one.
   */
  signIn(user: string | false, options?: SignInOptions): void;
  /**
   * Issues tokens without a request: `lab.mint({ sub: "alice", scope: "openid" })`. The server can
   * introspect, refresh and revoke them.
   */
  mint(options: MintOptions): Promise<MintedTokens>;
  /**
   * Issues a code without a request, for a test that begins at the callback: `lab.mint({ kind:
   * "code", user: "alice" })`.
   */
  mint(options: MintCodeOptions): Promise<MintedCode>;
  /** The users, which a test may add, change and remove. */
  readonly users: Directory<UserConfig>;
  /** The clients, which a test may add, change and remove. */
  readonly clients: Directory<ClientConfig>;

  // Time

  /** The clock behind all issue and expiry times. */
  readonly clock: LabClock;

  // Evidence

  /** Returns the recorded requests with their responses, the newest last. */
  requests(filter?: RequestFilter): RecordedRequest[];
  /**
   * Returns the oldest matching request that no earlier call has returned; if there is none, it
   * waits for one.
   *
   * @throws {LabError} No matching request came in time; the message lists what came instead.
   */
  waitForRequest(filter?: RequestFilter, options?: WaitOptions): Promise<RecordedRequest>;
  /** Returns what happened in each authorization. */
  flows(): FlowTrace[];

  // The lab itself

  /** Returns everything to how it was at the start, except the signing keys. */
  reset(): Promise<void>;
}

/** A server with the powers that a test needs and a production server must never have. */
export interface CoreLab extends InternalServer, CoreTools {
  readonly respond: (request: IncomingRequest) => Promise<LabResponse>;
  tenant(config?: CoreTenantConfig): Promise<this>;
  [Symbol.asyncDispose](): Promise<void>;

  // What the program, the pages and features use of it.

  /**
   * Remembers users, clients, clock, settings and everything stored. Returns a function that
   * returns to them, and forgets what the test did since.
   */
  capture(): Promise<() => Promise<void>>;

  /** Whom the next authorization request signs in without a page, and what that user decides. */
  readonly handsFreeState: HandsFreeState;

  /** Returns the token that the server issued, for one that a client got: a dialect shapes them. */
  originalOf(token: string): Promise<string>;

  readonly settings: LiveSettings;
  /** Where the interface over HTTP is. */
  readonly interfacePlace: InterfacePlace;
  /** The flows that the lab started itself, by their state. */
  readonly startedFlows: Table<StartedFlow>;
  /** The requests of such flows that may end at the lab without a redirect URI of their client. */
  readonly vouchedRequests: VouchedRequests;
  /** Serves only the interface over HTTP, on a separate port. */
  readonly control: Application;
  readonly tenants: Tenants<this>;
  /** Opens the configured tenants. Callers of `openLab` await it, and a reset repeats it. */
  openConfiguredTenants(): Promise<void>;
  /** Waits for a request that is still to come; undefined if none comes within the time. */
  nextRequest(filter: RequestFilter, milliseconds: number): Promise<RecordedRequest | undefined>;
  /** Handles a request that the lab itself sends, and returns the exchange that records it. */
  recordExchange(request: IncomingRequest, sentByLab: SentByLab): Promise<Exchange | undefined>;
  /** Returns the lab that responded to a request: this one, or a tenant that is still open. */
  labOf(tenant: string | undefined): this | undefined;
  /** Returns the remarks of the lab, and of its tenants with their names. */
  remarks(): LabRemarks;
  /** Everything recorded, the newest last. It contains secrets. */
  exchanges(): readonly Exchange[];
  /**
   * Forgets all recorded requests, those of earlier tests as well, which then count in no report.
   */
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

/** Where the interface of a lab over HTTP is. */
export interface InterfacePlace {
  /** The path above `/lab`. */
  base: string;
  /** The addresses whose pages may use it. */
  addresses: readonly string[];
}

/** The issuers that share a lab's process, each below a different path. */
export interface Tenants<L = CoreLab> {
  open(config: CoreTenantConfig): L;
  /** Finds the tenant whose issuer a URL belongs to. */
  ofUrl(url: URL): L | undefined;
  /** Finds the tenant whose interface over HTTP has a path. */
  ofControlPath(pathname: string): L | undefined;
  /** Whether a host is that of a tenant, and not of the lab. */
  hasHost(hostname: string): boolean;
  /** Returns the issuers that tenants chose. */
  chosenIssuers(): string[];
  /** Returns the tenant with an id; throws a `LabError` if there is none. */
  find(id: string): L;
  all(): L[];
  ids(): string[];
  /** Closes one tenant, or all. */
  close(id?: string): Promise<void>;
}

/**
 * Returns what the option `tenant` of a tool or an operation names: a part of the lab itself, or of
 * one of its tenants.
 */
export function ofTenant<Part>(
  tenant: string | undefined,
  own: Part,
  tenants: { find(id: string): Part },
): Part {
  return tenant === undefined ? own : tenants.find(tenant);
}
