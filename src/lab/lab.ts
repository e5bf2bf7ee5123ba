import type { UserConfig } from "../config/user_config.ts";
import type { Application } from "../http/application.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import type { ResponseData } from "../http/response_data.ts";
import type { Table } from "../issuer/records/table.ts";
import type { ClientConfig } from "../model/client_config.ts";
import type { InternalServer } from "../server.ts";
import type { SignInOptions } from "./browser/hands_free.ts";
import type {
  AuthorizationResult,
  HeadlessBrowser,
  UserActions,
} from "./browser/headless_browser.ts";
import type { StartedFlow } from "./client_role/started_flow.ts";
import type { LabClock } from "./clock.ts";
import type { Directory } from "./directory.ts";
import type { DrillResult } from "./drill/drill.ts";
import type { DrillLogin, DrillProgress } from "./drill/drill_progress.ts";
import type { FaultName } from "./faults/catalogue.ts";
import type { Fault, FaultOptions, QueuedResponse } from "./faults/fault.ts";
import type { FaultList } from "./faults/faults.ts";
import type { FlowScope } from "./faults/flow_scope.ts";
import type { FaultPlace } from "./faults/places.ts";
import type { Hook, HookChange, HookPoint, HookScope } from "./hooks/hook.ts";
import type { Hooks } from "./hooks/hooks.ts";
import type { LabListener } from "./lab_event.ts";
import type { LabConfig } from "./lab_server.ts";
import type { MintedTokens } from "./mint.ts";
import type { MintOptions } from "./mint_options.ts";
import type { Exchange } from "./recording/exchange.ts";
import type { RecordedRequest } from "./recording/recorded_request.ts";
import type { RequestFilter } from "./recording/recorder.ts";
import type { FlowTrace } from "./recording/timeline.ts";
import type { WaitOptions } from "./recording/wait_for_request.ts";
import type { CleanOptions, Report } from "./report/report.ts";

/** A response of a lab. */
export interface LabResponse extends ResponseData {
  /** The error that a client in this process gets in place of the response. */
  failure?: unknown;
}

/**
 * A server with the powers that a test needs and a production server must never have. Tests of
 * other projects see a `TestLab`, whose comments describe each power.
 */
export interface Lab extends InternalServer {
  readonly respond: (request: IncomingRequest) => Promise<LabResponse>;
  readonly clock: LabClock;
  readonly users: Directory<UserConfig>;
  readonly clients: Directory<ClientConfig>;
  readonly faults: FaultList;
  authorize(url: string, actions?: UserActions): Promise<AuthorizationResult>;
  browser(): HeadlessBrowser;
  signIn(user: string | false, options?: SignInOptions): void;
  mint(options: MintOptions): Promise<MintedTokens>;
  fault(name: FaultName, scope?: Omit<FaultOptions, "name">): Fault;
  on<Point extends HookPoint>(
    point: Point,
    change: HookChange<Point>,
    scope?: HookScope,
  ): Hook;
  next(at: FaultPlace, response?: QueuedResponse): Fault;
  addClaims(claims: Record<string, unknown>, scope?: FlowScope): Hook;
  drill(login: DrillLogin, only?: readonly FaultName[]): Promise<DrillResult>;
  requests(filter?: RequestFilter): RecordedRequest[];
  waitForRequest(filter?: RequestFilter, options?: WaitOptions): Promise<RecordedRequest>;
  flows(): FlowTrace[];
  report(): Report;
  assertClean(options?: CleanOptions): void;
  tenant(config?: TenantConfig): Promise<Lab>;
  reset(): Promise<void>;
  snapshot(): Promise<string>;
  restore(snapshot: string): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;

  // What only the program and the interface over HTTP use.

  /** The user whom the next authorization request signs in, if hands-free sign-in is on. */
  readonly handsFreeUser: string | undefined;

  /** Returns how far the present drill is, or how the last one ended. */
  drillProgress(): DrillProgress;
  readonly hooks: Pick<Hooks, "idle" | "list" | "clear">;
  /** The flows that the lab started itself, by their state. */
  readonly startedFlows: Table<StartedFlow>;
  /** Serves the interface over HTTP and nothing else, for a port of its own. */
  readonly control: Application;
  readonly tenants: Tenants;
  /** Waits for a request that is still to come; undefined if none comes within the time. */
  nextRequest(filter: RequestFilter, milliseconds: number): Promise<RecordedRequest | undefined>;
  /** Handles a request of the protocol, and returns the exchange that records it. */
  recordExchange(request: IncomingRequest): Promise<Exchange | undefined>;
  /** Everything recorded, the newest last. It contains secrets. */
  exchanges(): readonly Exchange[];
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

/** The configuration of a tenant. Its addresses are those of the lab, with a path of its own. */
export interface TenantConfig
  extends Omit<LabConfig, "issuer" | "frontChannelUrl" | "backChannelUrl"> {
  /**
   * The name of the tenant in its issuer.
   *
   * @default the next number
   */
  id?: string;
}

/** The issuers that share a lab's process, each below a path of its own. */
export interface Tenants {
  open(config: TenantConfig): Lab;
  /** Finds the tenant whose path a URL path begins with. */
  ofPath(pathname: string): Lab | undefined;
  /** Returns the tenant with an id; throws a `LabError` if there is none. */
  find(id: string): Lab;
  ids(): string[];
  /** Closes one tenant, or all. */
  close(id?: string): Promise<void>;
}
