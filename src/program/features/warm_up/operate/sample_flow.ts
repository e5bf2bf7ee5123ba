import { createFullServer } from "../../../../server/features.ts";
import {
  createIncomingRequest,
  type SentRequest,
} from "../../../../server/http/incoming_request.ts";
import type { ResponseData } from "../../../../server/http/response_data.ts";
import { forever } from "../../../../server/issuer/records/table.ts";
import { numericDate } from "../../../../server/issuer/time.ts";
import type { SigningAlgorithm } from "../../../../server/model/signing.ts";
import { memoryStore } from "../../../../server/store/memory.ts";
import { sha256 } from "../../../../server/util/crypto/hash.ts";
import { createEventFormat } from "../../../monitoring/log.ts";

const issuer = "https://warm-up.invalid";
const redirectUri = "https://app.invalid/callback";
const user = "user";
const client = "app";
/** Protects nothing: nobody reaches this server. */
const secret = "warm-up-warm-up-warm-up-warm-up-warm-up-warm-up";

/**
 * Creates a server in memory that nobody reaches, with a user who is signed in. Returns what makes a
 * flow there, and returns the response with its tokens.
 */
export async function createSampleFlow(
  alg: SigningAlgorithm,
): Promise<() => Promise<ResponseData>> {
  const format = createEventFormat("text", "info");
  const { respond, context: ctx } = createFullServer({
    issuer,
    alg,
    store: memoryStore(),
    users: [{ name: user }],
    clients: [{
      id: client,
      secret,
      redirectUris: [redirectUri],
      scopes: ["openid", "profile"],
      consent: "skip",
      idTokenAlg: alg,
    }],
    onEvent: (event, request) => void format(event, new Date(), request),
  });
  const [, header] = ctx.cookies.write("session", secret);
  const [cookie = ""] = header.split(";");
  const session = { sid: "sid", userName: user, subject: user, authTime: numericDate(ctx) };
  const authorization = new URLSearchParams({
    response_type: "code",
    client_id: client,
    redirect_uri: redirectUri,
    scope: "openid profile",
    state: secret,
    code_challenge: await sha256(secret),
    code_challenge_method: "S256",
  });
  const send = (...request: Parameters<typeof requestTo>) =>
    respond(createIncomingRequest(requestTo(...request)));

  return async () => {
    await ctx.records.sessions.put(secret, session, forever);
    const { headers } = await send(`/oauth2/authorize?${authorization}`, { Cookie: cookie });
    const { searchParams } = new URL(new Map(headers).get("Location") ?? redirectUri);
    const form = {
      grant_type: "authorization_code",
      code: searchParams.get("code") ?? "",
      redirect_uri: redirectUri,
      code_verifier: secret,
    };
    const credentials = { Authorization: `Basic ${btoa(`${client}:${secret}`)}` };
    return await send("/oauth2/token", credentials, form);
  };
}

/** Makes a request without objects of the platform, as listeners do. With a form it is a POST. */
function requestTo(
  path: string,
  given: Record<string, string>,
  form?: Record<string, string>,
): SentRequest {
  const bytes = new TextEncoder().encode(`${new URLSearchParams(form)}`);
  const headers = new Map(Object.entries(given));
  if (form) headers.set("Content-Type", "application/x-www-form-urlencoded");
  if (form) headers.set("Content-Length", `${bytes.length}`);
  return {
    method: form ? "POST" : "GET",
    url: issuer + path,
    headers: {
      get: (name) => headers.get(name) ?? null,
      has: (name) => headers.has(name),
      [Symbol.iterator]: () => headers[Symbol.iterator](),
    },
    signal: new AbortController().signal,
    body: null,
    bodyUsed: false,
    arrayBuffer: async () => bytes,
  };
}
