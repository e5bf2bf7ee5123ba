import { signJwt } from "../../../tokens/signed_tokens.ts";
import { makeAttackerKey } from "../../faults/jwt_forgery.ts";
import {
  type ApiCheck,
  type CheckVerdict,
  type Deviation,
  isAccepted,
  unlessOpaque,
  violation,
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
      "A kid that is a path, a query, a URL or very long must be refused without a server error",
    see: "RFC 8725, section 3.10",
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
    for (const [what, token] of tokens) {
      const before = trap.visits();
      const request = await api.present(token, `${hostileKid} ${what}`);
      const response = await api.send(request);
      if (isAccepted(response) || response.status >= 500) wrong.push(violation(request, response));
      else if (trap.visits() > before) {
        wrong.push({ level: "violation", received: "a request to the URL that is the kid" });
      }
    }
  } finally {
    await trap.close();
  }
  return { wrong };
}
