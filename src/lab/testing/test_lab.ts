import { createIncomingRequest } from "../../server/http/incoming_request.ts";
import { toResponse } from "../../server/http/response_data.ts";
import { once } from "../../server/util/time/promises.ts";
import { fulfillRoute, type PlaywrightRoute, type RoutedPage } from "../browser/playwright.ts";
import { idleWarning } from "../control/idle.ts";
import type { LabResponse } from "../core/core_lab.ts";
import { labClaimWarnings } from "../demo/claim_warnings.ts";
import { dialectAddress } from "../dialect/dialect_address.ts";
import { playedHosts } from "../dialect/played_hosts.ts";
import type { Lab, LabTools } from "../lab.ts";
import type { TenantConfig } from "../lab_config.ts";
import { LabError } from "../util/lab_error.ts";
import { describeForeignUrl, isAddress } from "../util/own_addresses.ts";
import { intercept, type Interception, type InterceptOptions } from "./intercept.ts";

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
   * Sends a request to the lab, wherever a library takes a `fetch`.
   *
   * @throws {LabError} The URL does not belong to the lab. No token must leave the test.
   */
  fetch(input: Request | URL | string, init?: LabRequestInit): Promise<Response>;
  /**
   * Sends requests of the global `fetch` for the lab's addresses to the lab, until the lab closes;
   * with `http`, those of `node:http` and `node:https` too, and with `hosts`, those for the real
   * hosts of the provider that it plays.
   *
   * @throws {LabError} `http` is true on a runtime whose `node:http` cannot be replaced; or
   * `hosts`, and the lab plays no host, or another lab intercepts it; or `allow` has an entry that
   * is no host, such as a URL.
   */
  intercept(options?: InterceptOptions): Interception;
  /**
   * Handles the requests of a Playwright page for the addresses of the lab, and those of a provider
   * that it plays, without a port. With a route, it handles that request.
   *
   * @example
   * ```ts ignore
   * await lab.route(page); // hallpass({ issuer: "https://login.example.com" })
   * ```
   */
  route(from: RoutedPage | PlaywrightRoute): Promise<void>;

  // The lab itself

  /**
   * Opens another issuer with its own clients, users, keys, clock, faults and records, which those
   * of the lab include.
   */
  tenant(config?: TenantConfig): Promise<TestLab>;
  /**
   * Returns one of the `providers` that the lab plays; one of a file has the name in it. With
   * `enterprise`, `"company"` is the company's.
   *
   * @throws {LabError} The lab does not play this provider.
   */
  provider(name: string): TestLab;
  /** Closes the lab and its store; a second call does nothing. */
  close(): Promise<void>;
  /** Closes the lab at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Returns a lab as a test uses it, which warns of what the test cannot mean. */
export function toTestLab(
  lab: Lab,
  { ca, stopListening }: { ca?: string | undefined; stopListening?: () => Promise<void> } = {},
): TestLab {
  const fetch: TestLab["fetch"] = async (input, init) => {
    const request = input instanceof Request && init === undefined ? input : toRequest(input, init);
    checkOwnAddress(request, lab);
    const response = lab.respond(createIncomingRequest(request));
    return toUnbroken(await untilAborted(request.signal, response));
  };
  const interceptions: Interception[] = [];
  // A test may close the lab itself before the end of its block closes it again.
  const close = once(async () => {
    // The next lab may have the same issuer, and must get its requests.
    for (const each of interceptions) each.restore();
    warnOfIdleFaults(lab);
    lab.release();
    await stopListening?.();
    await lab.close();
  });
  return {
    ...lab.tools,
    issuer: lab.issuer,
    ca,
    fetch,
    intercept(options) {
      const hostUrls = interceptedHosts(lab, options);
      const interception = intercept(baseUrls(lab), fetch, { ...options, hostUrls });
      interceptions.push(interception);
      return interception;
    },
    async route(from) {
      if ("fulfill" in from) return await fulfillRoute(from, fetch);
      await from.route(
        ({ href }) => isOwnAddress(href, lab),
        (route) => fulfillRoute(route, fetch),
      );
    },
    provider: (name) => toTestLab(lab.tenants.find(name), { ca }),
    async tenant(config) {
      const tenant = await lab.tenant(config);
      warnOfUnopenedClaims(tenant);
      return toTestLab(tenant, { ca });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A claim that no rule opens would be missing without a word. */
export function warnOfUnopenedClaims({ context: { settings } }: Lab): void {
  for (const warning of labClaimWarnings(settings)) console.warn(`hallpass: ${warning}`);
}

/** The types of `RequestInit` know fewer byte arrays than every runtime accepts. */
function toRequest(input: Request | URL | string, init: LabRequestInit | undefined): Request {
  return new Request(input, init as RequestInit);
}

/** Rejects when the caller aborts, as the `fetch` of the network does. */
function untilAborted<T>(signal: AbortSignal, response: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
    response.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** A request for another server must not seem to have reached the lab: it may carry a token. */
function checkOwnAddress({ url }: Request, lab: Lab): void {
  if (!isOwnAddress(url, lab)) throw new LabError(describeForeignUrl(url, addressesOf(lab)));
}

function isOwnAddress(url: string, lab: Lab): boolean {
  return isAddress(url, lab.context.settings.addresses) || isAddress(url, addressesOf(lab));
}

function addressesOf(lab: Lab): string[] {
  const { addresses } = lab.context.settings;
  return [...addresses, ...lab.tenants.chosenIssuers(), ...playedHostUrls(lab)];
}

/** Without a network, a broken connection is a `fetch` that rejects. */
function toUnbroken(response: LabResponse): Response {
  if (response.failure !== undefined) throw response.failure;
  return toResponse(response);
}

/** A test whose fault never fired did not test what it claims to. */
function warnOfIdleFaults(lab: Lab): void {
  const warning = idleWarning(lab);
  if (warning !== undefined) console.warn(`hallpass: ${warning}`);
}

/** Returns the URLs of the hosts of all providers that a lab plays, itself or in tenants. */
function playedHostUrls(lab: Lab): string[] {
  return [lab, ...lab.tenants.all()]
    .flatMap(({ settings }) => playedHosts(settings.config().dialect?.hosts))
    .map((name) => `https://${name}`);
}

/** Returns the URLs that the paths of a lab are below: a dialect has some besides its issuer. */
function baseUrls({ context, settings }: Lab): string[] {
  const { dialect } = settings.config();
  return context.settings.addresses.flatMap((url) => [url, dialectAddress(url, dialect).base]);
}

/** Returns the URLs of hosts that an interception is for, besides the addresses of its lab. */
function interceptedHosts(lab: Lab, { hosts }: InterceptOptions = {}): string[] {
  const urls = playedHostUrls(lab);
  const issuers = [lab.issuer, ...lab.tenants.chosenIssuers()];
  const hasRealIssuer = issuers.some((issuer) => urls.includes(new URL(issuer).origin));
  if (!(hosts ?? hasRealIssuer)) return [];
  const repeated = urls.find((url, at) => urls.indexOf(url) !== at);
  if (repeated !== undefined) {
    throw new LabError(`Several tenants have the host ${repeated}: intercept at one of them.`);
  }
  if (urls.length > 0) return urls;
  throw new LabError(
    "lab.intercept({ hosts: true }) needs a provider whose hosts are the same for everyone, " +
      "such as hallpass({ provider: \"google\" }). Name another host as the 'issuer' of the lab.",
  );
}
