import { createIncomingRequest } from "../../server/http/incoming_request.ts";
import { toResponse } from "../../server/http/response_data.ts";
import { createDeferred, once } from "../../server/util/time/promises.ts";
import type { LabCertificate } from "../certificates/lab_certificate.ts";
import { idleWarning } from "../control/idle.ts";
import type { LabResponse } from "../core/core_lab.ts";
import { playedHosts } from "../dialect/played_hosts.ts";
import { loadCompletion } from "../handling/lab_completions.ts";
import { openProviders } from "../handling/open_providers.ts";
import { withProvider } from "../handling/provider_settings.ts";
import type { Lab } from "../lab.ts";
import { labClaimWarnings } from "../lab_server/claim_warnings.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";
import { openLab } from "../open_lab.ts";
import { LabError } from "../util/lab_error.ts";
import { describeForeignUrl, isAddress } from "../util/own_address.ts";
import { baseUrls, interceptedHosts, playedHostUrls } from "./host_urls.ts";
import { intercept, type Interception } from "./intercept.ts";
import { fulfillRoute } from "./playwright.ts";
import type { LabRequestInit, TestLab } from "./test_lab.ts";

/** The configuration of a lab for tests. Every member has a default. */
export interface HallpassOptions extends Partial<LabConfig> {
  /**
   * Whether the lab listens on a free port of the loopback interface; a number selects the port.
   * Without it, only `lab.fetch` reaches the lab.
   *
   * @default false
   */
  listen?: boolean | number | undefined;
  /**
   * Whether the lab listens with TLS. It makes a certificate for a day, for `localhost`, the
   * loopback addresses and the hosts of the lab's addresses. Clients must trust `lab.ca`. Needs
   * `listen`.
   *
   * @default false
   */
  tls?: boolean | undefined;
}

/**
 * Opens an authorization server for a test. It needs no keys, no port and no cleanup other than
 * `await using` or `close()`.
 *
 * @example
 * ```ts
 * import { hallpass } from "@hallpass/hallpass/testing";
 *
 * await using lab = await hallpass({ users: [{ name: "zoe" }] });
 * const { access_token } = await lab.mint({ sub: "zoe", scope: "openid" });
 * ```
 */
export async function hallpass(
  { listen = false, tls = false, ...given }: HallpassOptions = {},
): Promise<TestLab> {
  const config = await withProvider(given);
  const complete = await loadCompletion(given);
  if (listen === false) {
    if (tls) throw new LabError("'tls' needs 'listen': without a port, every address is a name.");
    const lab = openLab(complete({ issuer: "https://hallpass.test", ...config }));
    await openProviders(lab, lab.settings.config());
    warnOfUnopenedClaims(lab);
    return toTestLab(lab);
  }
  const { serve } = await import("../../runtime/serve.ts");
  const { promise, resolve } = createDeferred<Lab>();
  const certificate = tls ? await certificateFor(config) : undefined;
  const scheme = tls ? "https" : "http";
  const listening = await serve((port) => {
    const issuer = `${scheme}://localhost:${port}`;
    const lab = openLab(complete({ issuer, ...config }));
    resolve(lab);
    return lab;
  }, {
    port: listen === true ? 0 : listen,
    cert: certificate?.cert,
    key: certificate?.key,
    // Browsers would remember it for a host that is used for tests.
    strictTransport: false,
  });
  const lab = await promise;
  await openProviders(lab, lab.settings.config());
  warnOfUnopenedClaims(lab);
  return toTestLab(lab, { ca: certificate?.ca, stopListening: () => listening.close() });
}

async function certificateFor(config: Partial<LabConfig>): Promise<LabCertificate> {
  const { hostsOf, makeLabCertificate } = await import("../certificates/lab_certificate.ts");
  const played = config.hosts ? playedHosts(config.dialect) : [];
  return await makeLabCertificate(hostsOf(config, { played }));
}

/** What a lab has only if it listens. */
interface ListeningParts {
  ca?: string | undefined;
  stopListening?: () => Promise<void>;
}

function toTestLab(lab: Lab, { ca, stopListening }: ListeningParts = {}): TestLab {
  const { addresses } = lab.context.settings;
  const fetch: TestLab["fetch"] = async (input, init) => {
    const request = input instanceof Request && init === undefined ? input : toRequest(input, init);
    checkOwnAddress(request, [
      ...[...addresses, ...lab.tenants.chosenIssuers()],
      ...playedHostUrls(lab),
    ]);
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
    route: (route) => fulfillRoute(route, fetch),
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

/** The types of `RequestInit` know fewer byte arrays than every runtime accepts. */
function toRequest(input: Request | URL | string, init: LabRequestInit | undefined): Request {
  return new Request(input, init as RequestInit);
}

/** Rejects when the caller aborts, as the `fetch` of the network does. */
async function untilAborted<T>(signal: AbortSignal, response: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = createDeferred<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([response, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** A request for another server must not seem to have reached the lab: it may carry a token. */
function checkOwnAddress({ url }: Request, addresses: readonly string[]): void {
  if (!isAddress(url, addresses)) throw new LabError(describeForeignUrl(url, addresses));
}

/** Without a network, a broken connection is a `fetch` that rejects. */
function toUnbroken(response: LabResponse): Response {
  if (response.failure !== undefined) throw response.failure;
  return toResponse(response);
}

/** A claim that no rule opens would be missing without a word. */
function warnOfUnopenedClaims({ context: { settings } }: Lab): void {
  for (const warning of labClaimWarnings(settings)) console.warn(`hallpass: ${warning}`);
}

/** A test whose fault never fired did not test what it claims to. */
function warnOfIdleFaults(lab: Lab): void {
  const warning = idleWarning(lab);
  if (warning !== undefined) console.warn(`hallpass: ${warning}`);
}
