import { randomId } from "../../../../server/issuer/random.ts";
import { isObject, parseJson } from "../../../../server/util/text/json.ts";
import { second } from "../../../../server/util/time/duration.ts";
import type { CheckTable } from "../../../findings/sentences.ts";
import { signJwt } from "../../../tokens/signed_tokens.ts";
import type { FaultTools } from "../../faults/feature.ts";
import { commonForgeries, forgeJwt, makeAttackerKey } from "../../faults/jwt_forgery.ts";
import { type ApiCheck, type CheckReading, deviationIn, isAccepted } from "../api_check.ts";
import { type ApiRequest, type DrilledApi, freshJwt } from "../drilled_api.ts";
import { opaqueToken } from "./observed_checks.ts";
import { must, mustOfJwts } from "./sentences.ts";
import { forged } from "./signature_checks.ts";

/** What an API must refuse while it cannot find out whether a token is valid. */
export const failingChecks: CheckTable<ApiCheck> = {
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
    async run(api) {
      const failing = await tryWhileFailing(api, "introspect", [unknownToken, forgedToken]);
      return failing.wrong ? failing : await tryInactive(api) ?? failing;
    },
  }),
  keys_fail_open: mustOfJwts("apiSignature", {
    title: "A token must be refused while its key cannot be fetched",
    mistake: "Accepts a token whose key it cannot fetch",
    ...forged,
    fix: "Refuse every token whose signature was not verified.",
    run: (api) => tryWhileFailing(api, "jwks", [tokenOfUnknownKey]),
  }),
};

type FaultCall = Parameters<FaultTools["fault"]>;

/** A response that never comes is left out: APIs treat it like one that breaks off. */
const failures = ["server_error", "unavailable", "dropped", "html", "malformed_json"] as const;

/** How often, and how long, an API is given time to take valid tokens again, in milliseconds. */
const attempts = 12;
const betweenAttempts = 5 * second * 1000;

/** Presents tokens that are not valid while what the API asks about them fails. */
async function tryWhileFailing(
  api: DrilledApi,
  place: "introspect" | "jwks",
  makes: ReadonlyArray<(api: DrilledApi) => Promise<ApiRequest>>,
): Promise<CheckReading> {
  let isAsked = false;
  const noKeys: FaultCall = ["jwks.response", { body: { keys: [] } }];
  const faults: FaultCall[] = failures.map((each) => [`${place}.${each}`]);
  try {
    for (const make of makes) {
      const { asked, response } = await sendUnder(api, place, await make(api));
      if (!asked || isAccepted(response)) continue;
      for (const [name, options] of place === "jwks" ? [...faults, noKeys] : faults) {
        const { client } = asked.request;
        const request = await make(api);
        const seen = await sendUnder(api, place, request, [name, { ...options, client }]);
        isAsked ||= seen.asked !== undefined;
        if (!isAccepted(seen.response)) continue;
        const what = `${request.what} under the fault ${name}`;
        const facts = ["with an introspection that fails"] as const;
        return { wrong: [{ ...deviationIn({ ...request, what }, seen.response), facts }] };
      }
    }
  } finally {
    await waitUntilWell(api);
  }
  return isAsked ? {} : { skipped: `The API did not ask the lab (${place}) about these tokens.` };
}

/** Presents valid tokens whose introspection does not say so. A signed one cannot be changed. */
async function tryInactive(api: DrilledApi): Promise<CheckReading | undefined> {
  const make = async () =>
    await api.present(await opaqueToken(api), "a token whose introspection has");
  const { asked, response } = await sendUnder(api, "introspect", await make());
  const claims = parseJson(asked?.response?.body ?? "");
  if (!asked || !isAccepted(response) || !isObject(claims)) return undefined;
  const faults = [undefined, false, "false", 0, null].map((active): [string, ...FaultCall] => [
    `${JSON.stringify(active) ?? "nothing"} as 'active'`,
    "introspect.changed",
    active === undefined ? { unset: ["active"] } : { set: { active } },
  ]);
  const inList: (typeof faults)[number] = ["a list", "introspect.response", { body: [claims] }];
  for (const [how, name, options] of [...faults, inList]) {
    const { client } = asked.request;
    const request = await make();
    const seen = await sendUnder(api, "introspect", request, [name, { ...options, client }]);
    if (!isAccepted(seen.response)) continue;
    return { wrong: [deviationIn({ ...request, what: `${request.what} ${how}` }, seen.response)] };
  }
  return {};
}

async function unknownToken(api: DrilledApi): Promise<ApiRequest> {
  return await api.present(`unknown-${randomId(api.lab.context)}`, "an unknown token");
}

/** An API may decode a token that it cannot ask about. An opaque one has no parts. */
async function forgedToken(api: DrilledApi): Promise<ApiRequest> {
  if (!api.jwt) return await unknownToken(api);
  const token = await forgeJwt(api.lab, freshJwt(api), commonForgeries.foreign_signature);
  return await api.present(token, "a token of another key");
}

async function tokenOfUnknownKey(api: DrilledApi): Promise<ApiRequest> {
  const { header, claims } = freshJwt(api);
  const { privateKey: key } = await makeAttackerKey(String(header.alg));
  const kid = randomId(api.lab.context);
  return await api.present(
    await signJwt({ header: { ...header, kid }, claims, key }),
    "a token of an unknown key",
  );
}

/**
 * Sends a request, under a fault or none, and finds out whether the API asked the lab meanwhile. A
 * refusal under a fault has no control: valid tokens may be refused as well.
 */
async function sendUnder(
  api: DrilledApi,
  place: "introspect" | "jwks",
  request: ApiRequest,
  call?: FaultCall,
) {
  const before = api.lab.exchanges().at(-1)?.id ?? 0;
  const fault = call && api.lab.fault(...call);
  try {
    const response = await api.send({ ...request, isUncontrolled: fault !== undefined });
    const asked = api.lab.exchanges().findLast((each) =>
      each.id > before && each.request.endpoint === place
    );
    return { response, asked };
  } finally {
    fault?.remove();
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
