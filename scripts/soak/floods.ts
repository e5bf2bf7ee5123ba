import type { FlowKit } from "../../tests/support/flow_kit.ts";
import { register } from "../../tests/support/registration.ts";
import type { Attack, RunningAttack } from "./attack.ts";

/** Sends one request, and returns the status of the response. */
type SendOne = (n: number) => Promise<number>;

/** How many requests of a flood are under way at a time. */
const workers = 16;

/** Floods of requests that cost the server something, each from one network. */
export const floods: readonly Attack[] = [
  flood(
    "registrations",
    (kit) => async (n) => (await register(kit, { client_name: `Flood ${n}` })).status,
  ),
  flood("sign-ins with wrong passwords", (kit) => {
    const browser = kit.browser();
    const page = browser.open(kit.authorizationUrl());
    return async (n) => {
      const fields = { username: `user-${n % 7}`, password: "wrong" };
      return (await browser.submit(await page, "sign-in", fields)).status;
    };
  }),
  flood("lookups of unknown clients, documents and tokens", (kit) => {
    const lookups = lookupsOf(kit);
    return async (n) => {
      const response = await lookups[n % lookups.length]?.(n);
      await response?.arrayBuffer();
      return response?.status ?? 0;
    };
  }),
];

function lookupsOf(kit: FlowKit): Array<(n: number) => Promise<Response>> {
  const authorize = (client_id: string) =>
    kit.get(kit.authorizationUrl({ client_id }).slice(kit.issuer.length));
  return [
    (n) => authorize(`client-${n}`),
    // A private address: nothing is sent anywhere.
    (n) => authorize(`https://10.0.0.1/client-${n}`),
    (n) => kit.get("/oauth2/userinfo", { Authorization: `Bearer token-${n}` }),
    (n) => kit.post("/oauth2/token", { client_id: `client-${n}`, grant_type: "refresh_token" }),
  ];
}

/** Creates a flood that sends its requests at a steady pace. */
function flood(name: string, open: (kit: FlowKit) => SendOne): Attack {
  return {
    name: `a flood of ${name}`,
    async begin(server, { perSecond }) {
      return sendSteadily(open(server.kit("203.0.113.66")), perSecond);
    },
  };
}

/** Sends until it is stopped. A worker that is late does not catch up. */
function sendSteadily(sendOne: SendOne, perSecond: number): RunningAttack {
  const statuses = new Map<number, number>();
  const pause = 1000 * workers / perSecond;
  let count = 0;
  let isStopped = false;
  const work = async (_: unknown, worker: number) => {
    await wait(pause * worker / workers);
    while (!isStopped) {
      const start = performance.now();
      const status = await sendOne(count++);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await wait(pause - (performance.now() - start));
    }
  };
  const sending = Array.from({ length: workers }, work);
  return {
    async stop() {
      isStopped = true;
      await Promise.all(sending);
      return describeStatuses(statuses);
    },
  };
}

/** Returns how often each status came, in words. */
export function describeStatuses(statuses: ReadonlyMap<number, number>): string {
  const sorted = [...statuses].toSorted(([a], [b]) => a - b);
  return sorted.map(([status, count]) => `${status} × ${count}`).join(", ");
}

/** Waits for some milliseconds, and at least for one turn of the loop. */
function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
