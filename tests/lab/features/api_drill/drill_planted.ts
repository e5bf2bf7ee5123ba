import type { ApiDrill } from "../../../../src/lab/features/api_drill/api_drill_tools.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { createWaits } from "../../../../src/lab/util/waits.ts";
import { createDeferred } from "../../../../src/server/util/time/promises.ts";
import { apiScope, apiUrl, createPlantedApi } from "./planted_api.ts";
import type { Weakness } from "./planted_weaknesses.ts";

/** An API in the process of a test. */
export type RespondToRequest = (request: Request) => Promise<Response>;

/** What a drill of a planted API differs in. */
export interface PlantedDrill extends Partial<ApiDrill> {
  alg?: "RS256" | "EdDSA";
  /** Whether the clock of the lab stands still. */
  isFrozen?: boolean;
  /**
   * Returns what stands in front of the API. `late` responds after any limit, by the lab's clock;
   * `pass` lets milliseconds pass, as the drill measures them.
   */
  around?(
    respond: RespondToRequest,
    late: () => Promise<Response>,
    pass: (milliseconds: number) => void,
  ): RespondToRequest;
}

/** Weaknesses with RSA keys, which take most of the time of a drill. */
const ofRsa: readonly Weakness[] = [
  "foreign_key",
  "hs256_pem",
  "hs256_jwk",
  "hs256_der",
  "hs256_base64",
  "header_x5c",
];

/** Drills an API that checks everything by hand, but for its weaknesses. */
export async function drillPlanted(
  planted: readonly Weakness[],
  { alg, isFrozen = false, around = (respond) => respond, ...options }: PlantedDrill = {},
) {
  let over = createDeferred<void>();
  let time = 0;
  const pass = (milliseconds: number) => void (time += milliseconds);
  const advance = (ms: number) => {
    pass(ms);
    if (!isFrozen) lab.clock.advance(`${ms / 1000}s`);
  };
  const waits = {
    ...createWaits(),
    now: () => time,
    wait: async (ms: number) => advance(ms),
    async within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
      const response = await Promise.race([promise, over.promise.then(() => undefined)]);
      if (response === undefined) advance(ms);
      over = createDeferred();
      return response;
    },
  };
  const usual = planted.some((each) => ofRsa.includes(each)) ? "RS256" : "EdDSA";
  await using lab = openLab({ issuer: "https://hallpass.test", alg: alg ?? usual }, { waits });
  const redirectUris = ["https://app.test/callback"];
  lab.clients.put({ id: "opaque", redirectUris, accessTokenFormat: "opaque" });
  const late = () => {
    over.resolve();
    return new Promise<Response>(() => {});
  };
  const respond = createPlantedApi(lab, ...planted);
  const timed: RespondToRequest = async (request) => {
    const response = await respond(request);
    if (response.headers.get("WWW-Authenticate")?.includes('"expired"')) pass(100);
    return response;
  };
  const request = around(timed, late, pass);
  const call = { url: apiUrl, audience: apiUrl, scope: apiScope, otherUser: "bob", keyWait: 0 };
  return await lab.drillApi({ request, ...call, ...options });
}
