import { basisOf } from "../../../findings/sentences.ts";
import { signJwt } from "../../../tokens/signed_tokens.ts";
import { makeAttackerKey } from "../../faults/jwt_forgery.ts";
import {
  advice,
  type ApiCheck,
  type CheckVerdict,
  type Deviation,
  deviationIn,
  isAccepted,
  unlessOpaque,
} from "../api_check.ts";
import { signWithText } from "../attacker.ts";
import { type DrilledApi, freshJwt } from "../drilled_api.ts";
import { openKeyTrap } from "../sockets.ts";

/** How the requests of this check are called, so that others leave them out. */
export const hostileKid = "a token whose kid is";

/** More than a column or a file name has. */
const longKid = "k".repeat(10_000);

/** HMAC fills a short key with zeros: this one signs as an empty file does. */
const emptyKey = "\0";

/** What an API must not do with the name of a key. */
export const kidChecks: readonly ApiCheck[] = [
  {
    id: "hostile_kid",
    title:
      "A kid that is a path, a query, a URL or very long must be refused, and should cause no error",
    mistake: "Does not handle a kid that is a path, a query, a URL or very long",
    class: "attack",
    ...basisOf("apiKid"),
    gain: "The key comes from a file, a database or a URL of the attacker's choice: anyone signs " +
      "tokens for any user, or makes the API fail.",
    fix: "Compare the kid as a text with those of the keys at the 'jwks_uri' of your issuer.",
    leftOut: unlessOpaque,
    run: tryKids,
  },
];

async function tryKids(api: DrilledApi): Promise<CheckVerdict> {
  const jwt = freshJwt(api);
  const { publicJwk, privateKey } = await makeAttackerKey(String(jwt.header.alg));
  const trap = await openKeyTrap(JSON.stringify({ keys: [publicJwk] }));
  const withKid = (kid: string) => ({ ...jwt, header: { ...jwt.header, kid } });
  const signed = async (kid: string) => await signJwt({ ...withKid(kid), key: privateKey });
  const tokens: Array<[what: string, token: string]> = [
    ["a path", await signWithText(withKid("../../../../../../../dev/null"), emptyKey)],
    ["a quote", await signed("' OR '1'='1")],
    ["a double quote", await signed('" OR "1"="1')],
    ["a URL", await signed(trap.url("http"))],
    ["of 10,000 characters", await signed(longKid)],
  ];
  const wrong: Deviation[] = [];
  try {
    const fails = await failsOnUnknownKid(api, await signed("hallpass-drill-unknown-key"));
    for (const [what, token] of tokens) {
      const before = trap.visits();
      const request = await api.present(token, `${hostileKid} ${what}`);
      const response = await api.send(request);
      if (isAccepted(response)) wrong.push(deviationIn(request, response));
      else if (trap.visits() > before) {
        wrong.push({ received: "a request to the URL that is the kid" });
      } else if (response.status >= 500 && !fails) {
        wrong.push(advice(`status ${response.status} for ${request.what}`));
      }
    }
  } finally {
    await trap.close();
  }
  return { wrong };
}

/** Whether any unknown kid makes the API fail: its text is not to blame then. */
async function failsOnUnknownKid(api: DrilledApi, token: string): Promise<boolean> {
  const { status } = await api.send(await api.present(token, "a token of an unknown key"));
  return status >= 500;
}
