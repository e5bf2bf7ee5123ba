import type { ClientConfig, UserConfig } from "../config/config.ts";
import type { Event } from "../config/events.ts";
import type { TokenResponse } from "../issuer/issue_tokens.ts";
import type { Server } from "../server.ts";
import type { Clock } from "./clock.ts";
import type { Directory } from "./directory.ts";
import type { DrillResult } from "./drill.ts";
import type { Fault, FaultOrder } from "./faults/fault.ts";
import type { Faults } from "./faults/faults.ts";
import type { LabConfig } from "./lab.ts";
import type { MintOrder } from "./mint.ts";
import type { Arrival, HeadlessBrowser, Person } from "./person.ts";
import type { Report } from "./report/report.ts";
import type { Recorder, Wish } from "./watch/recorder.ts";
import type { Recorded } from "./watch/shown.ts";
import type { FlowTrace } from "./watch/timeline.ts";

/** A server with the powers that a test needs, and a production must never have. */
export interface Lab extends Server {
  readonly clock: Clock;
  /** Plays a person's part, from an authorization URL to the callback. */
  authorize(url: string, person?: Person): Promise<Arrival>;
  /** A browser of its own, which stays signed in. */
  browser(): HeadlessBrowser;
  /** Tells the server to misbehave. */
  fault(name: string, scope?: Omit<FaultOrder, "name">): Fault;
  readonly faults: Omit<Faults, "misbehave">;
  /** The next request that nobody has taken yet, waiting for it where need be. */
  request(wish?: Wish): Promise<Recorded>;
  requests(wish?: Wish): Recorded[];
  /** Waits for one that is still to come, so many milliseconds at most. */
  nextRequest(wish: Wish, patience: number): Promise<Recorded | undefined>;
  readonly recorder: Recorder;
  flows(): FlowTrace[];
  /** What the client under test did wrong, and could do better. */
  report(): Report;
  /** Throws when the client broke a rule, and only then. */
  assertClean(): void;
  /** Drives an application's login under every hostile variant. */
  drill(login: () => Promise<unknown>, only?: readonly string[]): Promise<DrillResult>;
  /** Tokens without any flow. */
  mint(order: MintOrder): Promise<TokenResponse>;
  readonly users: Directory<UserConfig>;
  readonly clients: Directory<ClientConfig>;
  /** Another issuer in the same process, with clients, users, keys, clock, faults and records of its own. */
  tenant(config?: TenantConfig): Promise<Lab>;
  readonly tenants: Tenants;
  /** Everything as it was at the start, but for the signing keys. */
  reset(): Promise<void>;
  /** Tells of everything that happens from now on; gives back what ends it. */
  listen(listener: (event: Event) => void): () => void;
  /** Tells when the lab is closed; gives back what forgets about it. */
  onClose(listener: () => void): () => void;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface TenantConfig extends Omit<LabConfig, "issuer" | "frontChannel" | "backChannel"> {
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
