import type { ServerEvent } from "../config/events.ts";
import type { UserConfig } from "../config/user_config.ts";
import type { TokenResponse } from "../issuer/tokens/issue_tokens.ts";
import type { ClientConfig } from "../model/client_config.ts";
import type { InternalServer } from "../server.ts";
import type { Duration } from "../util/duration.ts";
import type {
  AuthorizationResult,
  HeadlessBrowser,
  UserActions,
} from "./browser/headless_browser.ts";
import type { LabClock } from "./clock.ts";
import type { Directory } from "./directory.ts";
import type { DrillResult } from "./drill.ts";
import type { FaultName } from "./faults/catalogue.ts";
import type { Fault, FaultOptions } from "./faults/fault.ts";
import type { Faults } from "./faults/faults.ts";
import type { LabEvent } from "./lab_event.ts";
import type { LabConfig } from "./lab_server.ts";
import type { MintOptions } from "./mint.ts";
import type { RecordedRequest } from "./recording/recorded_request.ts";
import type { Recorder, RequestFilter } from "./recording/recorder.ts";
import type { FlowTrace } from "./recording/timeline.ts";
import type { Report } from "./report/report.ts";

/** A server with the powers that a test needs, and a production must never have. */
export interface Lab extends InternalServer {
  /** The time of the lab: stop it, set it, put it forward. */
  readonly clock: LabClock;
  /** Answers to the lab's powers over HTTP, and to nothing else: for a port of their own. */
  control(request: Request): Promise<Response>;
  /** Plays a person's part, from an authorization URL to the callback. */
  authorize(url: string, actions?: UserActions): Promise<AuthorizationResult>;
  /** A browser of its own, which stays signed in. */
  browser(): HeadlessBrowser;
  /** Tells the server to misbehave. */
  fault(name: FaultName, scope?: Omit<FaultOptions, "name">): Fault;
  /** The faults that are ordered, and how often each one struck. */
  readonly faults: Omit<Faults, "respond">;
  /** The next request that nobody has taken yet, waiting for it where need be: 5 seconds, or what `wait` says. */
  request(filter?: RequestFilter & { wait?: Duration }): Promise<RecordedRequest>;
  /** All requests with their answers, the newest last. */
  requests(wish?: RequestFilter): RecordedRequest[];
  /** Waits for one that is still to come, so many milliseconds at most. */
  nextRequest(wish: RequestFilter, patience: number): Promise<RecordedRequest | undefined>;
  /** Where the requests are kept, until it is cleared. */
  readonly recorder: Recorder;
  /** What came of each authorization: code, tokens, refreshes, uses. */
  flows(): FlowTrace[];
  /** What the client under test did wrong, and could do better. */
  report(): Report;
  /** Throws when the client broke a rule, and only then. */
  assertClean(): void;
  /** Drives an application's login under every hostile variant. */
  drill(login: () => Promise<unknown>, only?: readonly FaultName[]): Promise<DrillResult>;
  /** Tokens without any flow. */
  mint(options: MintOptions): Promise<TokenResponse>;
  /** The users, who can be added and changed at any time. */
  readonly users: Directory<UserConfig>;
  /** The clients, which can be added and changed at any time. */
  readonly clients: Directory<ClientConfig>;
  /** Another issuer in the same process, with clients, users, keys, clock, faults and records of its own. */
  tenant(config?: TenantConfig): Promise<Lab>;
  /** The tenants that are open. */
  readonly tenants: Tenants;
  /** Everything as it was at the start, but for the signing keys. */
  reset(): Promise<void>;
  /** Tells of everything that happens from now on; gives back what ends it. */
  listen(listener: (event: ServerEvent | LabEvent) => void): () => void;
  /** Ends whatever keeps a connection open: answers that wait for their time, and streams of events. */
  release(): void;
  /** Calls back when that is to end; gives back what forgets about it. */
  onRelease(listener: () => void): () => void;
  /** Tells when the lab is closed; gives back what forgets about it. */
  onClose(listener: () => void): () => void;
  /** Closes the lab at the end of an `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a tenant can be given. Its issuer is made of the lab's. */
export interface TenantConfig
  extends Omit<LabConfig, "issuer" | "frontChannelUrl" | "backChannelUrl"> {
  /** The name in its issuer. Default: the next number. */
  id?: string;
}

/** The issuers that share a lab's process, each below a path of its own. */
export interface Tenants {
  open(config: TenantConfig): Promise<Lab>;
  /** The tenant that a path belongs to. */
  of(pathname: string): Lab | undefined;
  find(id: string): Lab;
  ids(): string[];
  /** One of them, or all. */
  close(id?: string): Promise<void>;
}
