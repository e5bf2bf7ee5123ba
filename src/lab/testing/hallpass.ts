import { isObject } from "../../server/util/text/json.ts";
import { createDeferred } from "../../server/util/time/promises.ts";
import type { LabCertificate } from "../certificates/lab_certificate.ts";
import { playedHosts } from "../dialect/played_hosts.ts";
import { features } from "../features.ts";
import { loadCompletion } from "../handling/complete_settings.ts";
import type { Lab } from "../lab.ts";
import type { LabConfig } from "../lab_config.ts";
import { openLab } from "../open_lab.ts";
import { LabError } from "../util/lab_error.ts";
import { type TestLab, toTestLab, warnOfUnopenedClaims } from "./test_lab.ts";

const maxPort = 65535;

/** The configuration of a lab for tests. Every member has a default. */
export interface HallpassOptions extends Partial<LabConfig> {
  /**
   * Whether the lab listens on a free port of the loopback interface; a number, or `{ port }`,
   * selects the port. The issuer follows from it. Without it, only `lab.fetch` reaches the lab.
   *
   * @default false
   */
  listen?: boolean | number | { port?: number | undefined } | undefined;
  /**
   * Whether the lab listens with TLS. It makes a certificate for a day, for `localhost`, the
   * loopback addresses and the hosts of the lab's addresses. Clients must trust `lab.ca`. Needs
   * `listen`.
   */
  tls?: boolean | undefined;
}

/**
 * Opens an authorization server for a test, without keys and a port.
 *
 * @example
 * ```ts
 * import { hallpass } from "@hallpass/hallpass/testing";
 *
 * await using lab = await hallpass({ users: [{ name: "zoe" }] });
 * const { access_token } = await lab.mint({ sub: "zoe", scope: "openid" });
 * ```
 */
export async function hallpass(options: HallpassOptions = {}): Promise<TestLab> {
  return await openTestLab(options, { holdsProcess: true });
}

/** Opens a lab, which may hold the process until it is closed. */
export async function openTestLab(
  { listen = false, tls = false, ...given }: HallpassOptions,
  { holdsProcess }: { holdsProcess: boolean },
): Promise<TestLab> {
  const complete = await loadCompletion(given, features);
  if (listen === false) {
    if (tls) throw new LabError("'tls' needs 'listen': without a port, every address is a name.");
    const lab = openLab(complete({ issuer: "https://hallpass.test", ...given }));
    await lab.openConfiguredTenants();
    warnOfUnopenedClaims(lab);
    return toTestLab(lab);
  }
  const port = portOf(listen);
  const { serve } = await import("../../runtime/serve.ts");
  const { promise, resolve } = createDeferred<Lab>();
  const certificate = tls ? await certificateFor(complete(given)) : undefined;
  const scheme = tls ? "https" : "http";
  const listening = await serve((port) => {
    const issuer = `${scheme}://localhost:${port}`;
    const lab = openLab(complete({ issuer, ...given }));
    resolve(lab);
    return lab;
  }, {
    port,
    cert: certificate?.cert,
    key: certificate?.key,
    // Browsers would remember it for a host that is used for tests.
    strictTransport: false,
  });
  if (!holdsProcess) listening.unref?.();
  const lab = await promise;
  await lab.openConfiguredTenants();
  warnOfUnopenedClaims(lab);
  return toTestLab(lab, { ca: certificate?.ca, stopListening: () => listening.close() });
}

/** Returns the port of `listen`: 0 selects a free one. Throws a `LabError` if it has none. */
export function portOf(listen: NonNullable<HallpassOptions["listen"]>): number {
  const { port = 0, ...others } = isObject(listen) ? listen : { port: listen };
  if (port === true) return 0;
  const isPort = Number.isInteger(port) && Number(port) >= 0 && Number(port) <= maxPort;
  if (isPort && Object.keys(others).length === 0) return Number(port);
  throw new LabError(
    `The port of 'listen' must be a whole number between 0 and ${maxPort}. ` +
      "Set listen to true, to a port, or to { port } alone.",
  );
}

async function certificateFor(
  config: Partial<LabConfig> & { hosts?: unknown },
): Promise<LabCertificate> {
  const { hostsOf, makeLabCertificate } = await import("../certificates/lab_certificate.ts");
  const played = config.hosts ? playedHosts(config.dialect?.hosts) : [];
  return await makeLabCertificate(hostsOf(config, { played }));
}
