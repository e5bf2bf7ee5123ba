import type { UserConfig } from "../config/user_config.ts";
import type { SignInOptions } from "../lab/browser/hands_free.ts";
import type {
  AuthorizationResult,
  HeadlessBrowser,
  UserActions,
} from "../lab/browser/headless_browser.ts";
import type { LabClock } from "../lab/clock.ts";
import type { Directory } from "../lab/directory.ts";
import type { DrillResult } from "../lab/drill/drill.ts";
import type { DrillLogin } from "../lab/drill/drill_progress.ts";
import type { FaultName } from "../lab/faults/catalogue.ts";
import type { Fault, FaultOptions, QueuedResponse } from "../lab/faults/fault.ts";
import type { FaultList } from "../lab/faults/faults.ts";
import type { FlowScope } from "../lab/faults/flow_scope.ts";
import type { FaultPlace } from "../lab/faults/places.ts";
import type { Hook, HookChange, HookPoint, HookScope } from "../lab/hooks/hook.ts";
import type { TenantConfig } from "../lab/lab.ts";
import type { MintedTokens } from "../lab/mint.ts";
import type { MintOptions } from "../lab/mint_options.ts";
import type { RecordedRequest } from "../lab/recording/recorded_request.ts";
import type { RequestFilter } from "../lab/recording/recorder.ts";
import type { FlowTrace } from "../lab/recording/timeline.ts";
import type { WaitOptions } from "../lab/recording/wait_for_request.ts";
import type { CleanOptions, Report } from "../lab/report/report.ts";
import type { ClientConfig } from "../model/client_config.ts";
import type { Interception, InterceptOptions } from "./intercept.ts";
import type { PlaywrightRoute } from "./playwright.ts";

/** The options of `fetch`. The body may also be a `Uint8Array`, as some libraries pass it. */
export interface LabRequestInit extends Omit<RequestInit, "body"> {
  /** The body of the request. */
  body?: RequestInit["body"] | Uint8Array;
}

/**
 * An authorization server that a test can control and inspect. Its functions can be destructured:
 * `const { fetch, mint } = await hallpass()`.
 */
export interface TestLab {
  // Requests

  /** The issuer identifier; every URL of the lab begins with it. */
  readonly issuer: string;
  /**
   * The certificate, in PEM, that clients of a lab with `tls` must trust; undefined without `tls`.
   *
   * @example
   * ```ts ignore
   * await writeFile("lab.pem", lab.ca); // NODE_EXTRA_CA_CERTS=lab.pem npm start
   * ```
   */
  readonly ca: string | undefined;
  /**
   * Sends a request to the lab, without a network. Use it wherever a library takes a `fetch`.
   *
   * @throws {LabError} The URL does not belong to the lab. No token must leave the test.
   */
  fetch(input: Request | URL | string, init?: LabRequestInit): Promise<Response>;
  /**
   * Sends requests of the global `fetch` for the lab's addresses to the lab; with `{ http: true }`,
   * those of `node:http` and `node:https` too.
   *
   * @throws {LabError} `http` is true on a runtime whose `node:http` cannot be replaced.
   */
  intercept(options?: InterceptOptions): Interception;
  /** Handles a request that Playwright intercepted: `page.route(lab.issuer + "/**", lab.route)`. */
  route(route: PlaywrightRoute): Promise<void>;

  // Users and clients

  /** Signs a user in and gives consent, on the real pages; returns the authorization response. */
  authorize(url: string, actions?: UserActions): Promise<AuthorizationResult>;
  /** Opens a browser that stays signed in, for several authorizations in a row. */
  browser(): HeadlessBrowser;
  /**
   * Signs a user in hands-free: from now on, the lab responds to every authorization request at once,
   * without a page or a cookie, and the user consents to all of it. `times: 1` means the next
   * request alone; `false` brings the sign-in page back.
   */
  signIn(user: string | false, options?: SignInOptions): void;
  /** Issues tokens without a request. The server can introspect, refresh and revoke them. */
  mint(options: MintOptions): Promise<MintedTokens>;
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
  next(at: FaultPlace, response?: QueuedResponse): Fault;
  /** Adds claims to access tokens and ID tokens, and to userinfo for these access tokens. */
  addClaims(claims: Record<string, unknown>, scope?: FlowScope): Hook;

  // Faults

  /** Makes the lab misbehave: `lab.fault("token.server_error", { times: 1 })`. */
  fault(name: FaultName, conditions?: Omit<FaultOptions, "name">): Fault;
  /** The faults that the test added, and how often each one fired. */
  readonly faults: FaultList;
  /**
   * Runs a login of your application once under each hostile variant, and returns which ones it
   * accepted. The login is a function that resolves if the user is signed in, and rejects, or
   * resolves to `false`, if not. Or it is the URL of an application on this machine, which a browser
   * of the lab visits: `{ start: "http://localhost:3000/login" }`. `only` selects variants by their
   * faults.
   *
   * @throws {LabError} The login fails even without a fault, so that the drill would prove nothing.
   */
  drill(login: DrillLogin, only?: readonly FaultName[]): Promise<DrillResult>;

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
  /** Returns what happened in each authorization, from the request to the last use of a token. */
  flows(): FlowTrace[];
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

  /** Opens another issuer with its own clients, users, keys, clock, faults and records. */
  tenant(config?: TenantConfig): Promise<TestLab>;
  /** Returns everything to how it was at the start, except the signing keys. */
  reset(): Promise<void>;
  /**
   * Remembers the users, the clients, the clock and everything stored: sessions, consents, tokens,
   * keys. Returns the id of the snapshot.
   */
  snapshot(): Promise<string>;
  /**
   * Returns to a snapshot, as often as a test likes. Faults, hooks, queued responses and records are
   * removed, and hands-free sign-in is as configured; tenants stay.
   *
   * @throws {LabError} There is no such snapshot.
   */
  restore(snapshot: string): Promise<void>;
  /** Closes the lab and its store; a second call does nothing. */
  close(): Promise<void>;
  /** Closes the lab at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}
