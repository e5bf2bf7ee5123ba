import type { CheckTable } from "../../../findings/sentences.ts";
import {
  type ApiCheck,
  type CheckReading,
  isAccepted,
  presentAll,
  refusing,
} from "../api_check.ts";
import { encodePart } from "../attacker.ts";
import type { ApiRequest, DrilledApi } from "../drilled_api.ts";
import { sendAuthorizations } from "../sockets.ts";
import { tokenNames } from "./bypass_checks.ts";
import { must, should } from "./sentences.ts";

const header = "Take the token from the Authorization header alone.";

const withoutTokens = ({ isOpen }: DrilledApi) =>
  isOpen ? "The API accepts requests without a token." : undefined;

/** What an API must refuse because of how the token comes. */
export const requestChecks: CheckTable<ApiCheck> = {
  query: should("apiQuery", {
    title: "A token in the query should be refused",
    gain:
      "Tokens that clients send so stay in logs, browser histories and Referer headers, and work.",
    fix: header,
    leftOut: withoutTokens,
    run: refusing(async (api) => {
      const token = await api.mint();
      const query = Object.fromEntries(tokenNames.map((name) => [name, token]));
      return [{ ...await api.present(token, "a token in the query"), headers: {}, query }];
    }),
  }),
  two_places: should("apiMethods", {
    title: "Two tokens, in the header and in the body, should be refused",
    mistake: "Accepts two tokens, in the header and in the body",
    gain: "A proxy checks one of the tokens, and the API uses the other.",
    fix: header,
    leftOut: withoutTokens,
    run: tryTwoPlaces,
  }),
  malformed: must("apiParts", {
    title: "A malformed token must be refused",
    takes: "nothing",
    // Only who has a token that the server has signed can add to it.
    unless: ["with what the server has signed"],
    gain: "What the API takes for a token is not what the server has signed.",
    fix: "Pass the whole token to one library, and refuse the request if that throws.",
    run: async (api) => {
      const forged = await refusing(async () => [
        { what: "a scheme without a token", headers: { Authorization: "Bearer" } },
        ...await changedParts(api),
      ])(api);
      const [longer] = await longerToken(api);
      if (!longer || !isAccepted(await api.send(longer))) return forged;
      const facts = ["with what the server has signed"] as const;
      return { wrong: [...forged.wrong ?? [], { facts, received: `it accepts ${longer.what}` }] };
    },
  }),
  header_form: should("apiHeader", {
    title: "An Authorization header of another form should be refused",
    gain: "A proxy in front of the API reads another token, or none.",
    fix: "Take the text after 'Bearer ' as the token, all of it.",
    run: refusing(otherForms),
  }),
  two_headers: should("apiFields", {
    title: "Two Authorization headers should be refused",
    mistake: "Accepts two Authorization headers",
    gain: "A proxy checks one of the headers, and the API uses the other.",
    fix: "Refuse a request with two, or let the proxy in front of the API do so.",
    leftOut: (api) =>
      typeof api.options.request === "function"
        ? "A function gets a Request, which cannot have two Authorization headers."
        : withoutTokens(api),
    run: tryTwoHeaders,
  }),
};

/** An API that reads no token from a body need not look there. */
async function tryTwoPlaces(api: DrilledApi): Promise<CheckReading> {
  const token = await api.mint();
  const form = { access_token: token };
  const alone = { ...await api.present(token, "a token in the body"), headers: {}, form };
  if (!isAccepted(await api.send(alone))) {
    return { skipped: "The API reads no token from the body." };
  }
  // Where tokens are bound, there is one proof, so both are the same one.
  const what = "tokens in the header and in the body";
  return await refusing(async () => [{ ...await api.present(token, what), form }])(api);
}

async function otherForms(api: DrilledApi): Promise<ApiRequest[]> {
  const token = await api.mint();
  const valid = await api.present(token, "");
  const { Authorization: usual = "" } = valid.headers ?? {};
  const values: Array<[what: string, value: string]> = [
    ["a token without a scheme", token],
    ["a token with the scheme Basic", `Basic ${token}`],
    ["a token as the password of Basic", `Basic ${btoa(`token:${token}`)}`],
    ["a token as the user name of Basic", `Basic ${btoa(`${token}:`)}`],
    ["a token with text after it", `${usual} ${token}`],
    ["two tokens with a comma between them", `${usual}, ${usual}`],
  ];
  return values.map(([what, Authorization]) => ({ ...valid, what, headers: { Authorization } }));
}

/** Returns requests with a JWT whose parts are not what was signed. */
async function changedParts(api: DrilledApi): Promise<ApiRequest[]> {
  if (!api.jwt) return [];
  const token = await api.mint();
  const [head = "", body = "", signature = ""] = token.split(".");
  const changed = encodePart({ ...api.jwt.claims, sub: "hallpass-drill" });
  const parts: Array<[what: string, parts: string[]]> = [
    ["a JWT with other claims than were signed", [head, changed, signature]],
    ["a JWT without its signature", [head, body]],
    ["a JWT with an empty signature", [head, body, ""]],
    ["a JWT with a signature of zeros", [head, body, "A".repeat(signature.length)]],
    ["a JWT whose header is not JSON", [encodePart("{"), body, signature]],
    ["a JWT whose claims are not JSON", [head, encodePart("{"), signature]],
    ["a JWT whose claims are null", [head, encodePart("null"), signature]],
    ["a JWT whose parts are not Base64", ["%", "%", "%"]],
  ];
  return await presentAll(api, parts.map(([what, each]) => [what, each.join(".")]));
}

async function longerToken(api: DrilledApi): Promise<ApiRequest[]> {
  if (!api.jwt) return [];
  const token = await api.mint();
  return [await api.present(`${token}.${token.split(".").at(-1)}`, "a JWT of four parts")];
}

/** No specification defines which one counts. Node and Go use the first; others join them. */
async function tryTwoHeaders(api: DrilledApi): Promise<CheckReading> {
  const accepts = async (isFirst: boolean) => {
    const sent = await api.toSend(await api.present(await api.mint(), ""));
    const { Authorization = "", ...headers } = sent.headers;
    const values = ["Bearer hallpass-drill"];
    values.splice(isFirst ? 0 : 1, 0, Authorization);
    return isAccepted({ status: await sendAuthorizations({ ...sent, headers }, values) });
  };
  const first = await accepts(true);
  const last = await accepts(false);
  if (first && last) return { wrong: [{ received: "it uses either, as long as one is valid" }] };
  if (last) return { wrong: [{ received: "it uses the last one" }] };
  return first ? { note: "The API gets the first one alone: its platform drops the second." } : {};
}
