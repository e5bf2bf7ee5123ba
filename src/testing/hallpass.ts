import { BrokenConnection } from "../lab/instrumented_handler.ts";
import type { Lab, TenantConfig } from "../lab/lab.ts";
import { LabError } from "../lab/lab_error.ts";
import type { LabConfig } from "../lab/lab_server.ts";
import { openLab } from "../lab/open_lab.ts";
import { once } from "../util/once.ts";
import { intercept, type Interception } from "./intercept.ts";
import { fulfillRoute, type PlaywrightRoute } from "./playwright.ts";

/** What a lab for tests can be given. Everything has a default. */
export interface HallpassOptions extends Partial<LabConfig> {
  /** Whether it listens on a free port of loopback; a number picks the port. Default: no port, `lab.fetch` only. */
  listen?: boolean | number;
}

/** What the global fetch takes, and what libraries hand to theirs, whose bytes may be any. */
export interface LabRequestInit extends Omit<RequestInit, "body"> {
  body?: RequestInit["body"] | Uint8Array;
}

/** A lab as a test holds it. `await using` closes it. */
export interface TestLab extends Omit<Lab, "fetch" | "tenant"> {
  /** Asks the lab as if it stood on the network; fits wherever a library takes a fetch. */
  fetch(input: Request | URL | string, init?: LabRequestInit): Promise<Response>;
  /** Sends what the global fetch is asked of the issuer's origin here, until it is disposed of. */
  intercept(): Interception;
  /** Answers for `page.route` of Playwright. */
  route(route: PlaywrightRoute): Promise<void>;
  /** Another issuer, with clients, users, keys, clock, faults and records of its own. */
  tenant(config?: TenantConfig): Promise<TestLab>;
}

/** Opens a lab for a test: no key step, no port unless it is asked for, no sleep. */
export async function hallpass(
  { listen = false, ...config }: HallpassOptions = {},
): Promise<TestLab> {
  if (listen === false) return toTestLab(openLab({ issuer: "https://hallpass.test", ...config }));
  const { serve } = await import("../runtime/serve.ts");
  let lab: Lab | undefined;
  const make = (port: number) => lab = openLab({ issuer: `http://localhost:${port}`, ...config });
  const listening = await serve(make, { port: listen === true ? 0 : listen });
  return toTestLab(lab!, () => listening.close());
}

function toTestLab(lab: Lab, stopListening?: () => Promise<void>): TestLab {
  // A test may close it itself, and the end of its block does so once more.
  const close = once(async () => {
    warnOfIdleFaults(lab);
    lab.release();
    await stopListening?.();
    await lab.close();
  });
  const fetch = async (input: Request | URL | string, init?: LabRequestInit) => {
    const request = input instanceof Request && init === undefined
      ? input
      : new Request(input, init as RequestInit);
    checkOwnAddress(request, lab.context.settings.addresses);
    return await whole(await unlessAborted(request.signal, lab.fetch(request)));
  };
  return Object.defineProperties({} as TestLab, {
    ...Object.getOwnPropertyDescriptors(lab),
    ...Object.getOwnPropertyDescriptors({
      fetch,
      intercept: () => intercept(lab.context.settings.addresses, fetch),
      route: (route: PlaywrightRoute) => fulfillRoute(route, fetch),
      tenant: async (config?: TenantConfig) => toTestLab(await lab.tenant(config)),
      close,
      [Symbol.asyncDispose]: close,
    }),
  });
}

/** Like the fetch of the network: whoever has given up waiting is told so. */
async function unlessAborted(signal: AbortSignal, answer: Promise<Response>): Promise<Response> {
  signal.throwIfAborted();
  let giveUp: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener("abort", giveUp = () => reject(signal.reason))
  );
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener("abort", giveUp!);
  }
}

/** A request that was meant for somebody else must not seem to have reached the lab: it may bring a token along. */
function checkOwnAddress({ url }: Request, addresses: readonly string[]): void {
  if (addresses.some((address) => new URL(address).origin === new URL(url).origin)) return;
  throw new LabError(
    `'${url.split("?")[0]}' is not an address of this lab, which has: ${addresses.join(", ")}.`,
  );
}

/** Without a network, a connection that breaks is a fetch that rejects. */
async function whole(response: Response): Promise<Response> {
  if (response.headers.get("X-Lab-Fault") !== "dropped") return response;
  await response.body?.cancel();
  throw new BrokenConnection("The lab broke the connection off, as a fault asked it to.");
}

/** A fault that never struck means a test that did not test what it says. */
function warnOfIdleFaults({ faults }: Lab): void {
  const names = faults.idle().map(({ name }) => name);
  if (names.length > 0) {
    console.warn(`hallpass: ordered, and never met by the client under test: ${names.join(", ")}`);
  }
}
