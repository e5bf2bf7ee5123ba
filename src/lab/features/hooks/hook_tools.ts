import type { FlowScope } from "../../recording/flow_scope.ts";
import type { FaultPlace } from "../../responses/places.ts";
import type { Hook, HookChange, HookPoint, HookScope } from "./hook.ts";
import type { ResponseChange } from "./lab_server.ts";

/** What a test can do to change what the server sends. */
export interface HookTools {
  /**
   * Adds a hook, which changes what the server sends: `lab.on("token", ({ claims }) => {
   * claims.roles = ["admin"]; })`. A changed token is signed again with the server's key. A hook
   * that throws rejects only the request that it met. `lab.on("response", change, { at: "userinfo"
   * })` changes the status, headers and body of one endpoint, errors included.
   */
  on<Point extends HookPoint>(point: Point, change: HookChange<Point>, scope?: HookScope): Hook;
  /** Adds claims to access tokens and ID tokens, and to userinfo for these access tokens. */
  addClaims(claims: Record<string, unknown>, scope?: FlowScope): Hook;
  /**
   * Changes the responses of an endpoint by data: members of their JSON, headers, the status.
   * `lab.changeResponse("userinfo", { unset: ["email"], times: 1 })`.
   *
   * @throws {LabError} The change is invalid.
   */
  changeResponse(at: FaultPlace, change: ResponseChange & FlowScope): Hook;
}

/** What the interface over HTTP needs beside it. */
export interface HookInternals {
  readonly hooks: HookList;
}

/** The hooks that a test has added to a lab. */
export interface HookList {
  /** Returns the hooks that never fired, except for those that may stay idle. */
  idle(): Hook[];
  list(): Hook[];
  /** Removes all hooks but those of the configuration. */
  clear(): void;
}
