import { randomId } from "../../../../server/issuer/random.ts";
import { isObject, parseJson } from "../../../../server/util/text/json.ts";
import { second } from "../../../../server/util/time/duration.ts";
import type { CheckTable } from "../../../findings/sentences.ts";
import type { Exchange } from "../../../recording/exchange.ts";
import type { FaultTools } from "../../faults/feature.ts";
import { commonForgeries, forgeJwt } from "../../faults/jwt_forgery.ts";
import {
  type ApiCheck,
  type CheckReading,
  type Deviation,
  deviationIn,
  isAccepted,
} from "../api_check.ts";
import { type ApiRequest, type DrilledApi, freshJwt } from "../drilled_api.ts";
import { opaqueToken } from "./observed_checks.ts";
import { must } from "./sentences.ts";

/** What an API must do where introspection does not show that a token is active. */
export const introspectionChecks: CheckTable<ApiCheck> = {
  introspection_fails_open: must("apiValidation", {
    title: "A token must be refused unless introspection shows that it is active",
    mistake: "Accepts a token although introspection does not show that it is active",
    cases: [{
      takes: "nothing",
      when: ["with an introspection that fails"],
      gain: "Any text opens the API while introspection fails, which much load can cause.",
    }],
    gain: "A token that is not active opens the API.",
    fix: "Accept a token only if introspection responds with 200 and with JSON whose 'active' is " +
      "true; refuse it after any error.",
    run: tryIntrospection,
  }),
};

type FaultCall = Parameters<FaultTools["fault"]>;

/** How introspection fails. An API that waits for a response in vain does the same as for `dropped`. */
const failures: ReadonlyArray<readonly [what: string, ...FaultCall]> = [
  ["responds with 500", "introspect.server_error"],
  ["responds with 503", "introspect.unavailable"],
  ["closes the connection", "introspect.dropped"],
  ["responds with a page", "introspect.html"],
  ["responds with JSON that ends too early", "introspect.malformed_json"],
];

/** The same response as for a valid token, but for its `active`. */
const changes: typeof failures = [
  ["without 'active'", "introspect.changed", { unset: ["active"] }],
  ["with 'active': false", "introspect.inactive"],
  ["with the text 'false' as 'active'", "introspect.changed", { set: { active: "false" } }],
  ["with 0 as 'active'", "introspect.changed", { set: { active: 0 } }],
  ["with null as 'active'", "introspect.changed", { set: { active: null } }],
];

/** How often, and how long, an API is given time to take valid tokens again, in milliseconds. */
const attempts = 12;
const betweenAttempts = 5 * second * 1000;

async function tryIntrospection(api: DrilledApi): Promise<CheckReading> {
  const wrong: Deviation[] = [];
  const facts = ["with an introspection that fails"] as const;
  let isAsked = false;
  for (const make of [unknownRequest, forgedRequest]) {
    const asked = await findIntrospection(api, await make(api));
    if (!asked || isAccepted(asked.response)) continue;
    isAsked = true;
    for (const [how, ...fault] of failures) {
      const request = await make(api);
      const response = await sendUnder(api, request, asked.client, fault);
      if (!isAccepted(response)) continue;
      const what = `${request.what}, while introspection ${how}`;
      wrong.push({ ...deviationIn({ ...request, what }, response), facts });
    }
  }
  await waitUntilWell(api);
  const asked = await findIntrospection(api, await validRequest(api));
  // A client may ask for a signed response, in which no member can be changed.
  const claims = asked && isAccepted(asked.response) && parseJson(asked.body);
  if (!asked || !isObject(claims)) {
    return isAsked ? { wrong } : { skipped: "The API asked introspection about no token." };
  }
  const list: (typeof failures)[number] = ["in a list", "introspect.response", { body: [claims] }];
  for (const [how, ...fault] of [...changes, list]) {
    const request = await validRequest(api);
    const response = await sendUnder(api, request, asked.client, fault);
    if (!isAccepted(response)) continue;
    wrong.push(deviationIn({ ...request, what: `${request.what} ${how}` }, response));
  }
  return { wrong };
}

async function unknownRequest(api: DrilledApi): Promise<ApiRequest> {
  return await api.present(`unknown-${randomId(api.lab.context)}`, "an unknown token");
}

/** An API may decode a token that it can ask nobody about. An opaque one has no parts. */
async function forgedRequest(api: DrilledApi): Promise<ApiRequest> {
  if (!api.jwt) return await unknownRequest(api);
  const { foreign_signature: foreign } = commonForgeries;
  return await api.present(
    await forgeJwt(api.lab, freshJwt(api), foreign),
    "a token of another key",
  );
}

async function validRequest(api: DrilledApi): Promise<ApiRequest> {
  return await api.present(await opaqueToken(api), "a token whose introspection comes");
}

/** Sends a request. Returns the response if the API asked the lab about its token, and who asked. */
async function findIntrospection(api: DrilledApi, request: ApiRequest) {
  const before = api.lab.exchanges().at(-1)?.id ?? 0;
  const response = await api.send(request);
  const isAbout = ({ id, request: { endpoint } }: Exchange) =>
    id > before && endpoint === "introspect";
  const asked = api.lab.exchanges().findLast(isAbout);
  return asked && { response, client: asked.request.client, body: asked.response?.body ?? "" };
}

/** A refusal has no control of its own: the API may refuse valid tokens while this fault lasts. */
async function sendUnder(
  api: DrilledApi,
  request: ApiRequest,
  client: string | undefined,
  [name, options]: FaultCall,
) {
  const fault = api.lab.fault(name, { ...options, client });
  try {
    return await api.send({ ...request, isUncontrolled: true });
  } finally {
    fault.remove();
  }
}

/** After failures, an API may ask nothing for a while (a circuit breaker). */
async function waitUntilWell(api: DrilledApi): Promise<void> {
  for (let left = attempts; left > 0; left--) {
    const valid = await api.present(await api.mint(), "a valid token after failures");
    if (isAccepted(await api.send({ ...valid, isUncontrolled: true }))) return;
    await api.waits.wait(betweenAttempts);
  }
}
