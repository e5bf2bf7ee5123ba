import type { TenantConfig } from "../core/tenant_config.ts";
import type { LabTools } from "../lab.ts";
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
export interface TestLab extends LabTools {
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
   * those of `node:http` and `node:https` too, and with `{ hosts: true }`, those for the real hosts
   * of the provider that the lab plays. It ends with the lab at the latest.
   *
   * @throws {LabError} `http` is true on a runtime whose `node:http` cannot be replaced; or
   * `hosts`, and the lab plays no host, or another lab intercepts it; or `allow` has an entry that
   * is no host, such as a URL.
   */
  intercept(options?: InterceptOptions): Interception;
  /** Handles a request that Playwright intercepted: `page.route(lab.issuer + "/**", lab.route)`. */
  route(route: PlaywrightRoute): Promise<void>;

  // The lab itself

  /**
   * Opens another issuer with its own clients, users, keys, clock, faults and records. The requests,
   * flows and report of the lab include those of its tenants.
   */
  tenant(config?: TenantConfig): Promise<TestLab>;
  /**
   * Returns one of the providers that the lab plays:
   * `hallpass({ providers: ["google", "entra"] })`. A cloned one has the name in its file.
   * With `hallpass({ enterprise: true })`, `"company"` is the identity provider of the company.
   *
   * @throws {LabError} The lab does not play this provider.
   */
  provider(name: string): TestLab;
  /** Closes the lab and its store; a second call does nothing. */
  close(): Promise<void>;
  /** Closes the lab at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}
