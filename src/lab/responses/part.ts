import type { InternalServer } from "../../server/server.ts";
import { readJwt } from "../recording/credentials.ts";
import { jsonOf, type WireRequest, type WireResponse, withJson } from "../recording/exchange.ts";
import { callbackIn, memberOf, withCallback } from "../recording/wire_callback.ts";
import { openSealed, sealLike } from "../tokens/sealed.ts";
import { findCallback, type ReadableCallback, writeCallback } from "../tokens/signed_callback.ts";
import { changeToken } from "../tokens/signed_tokens.ts";
import { mayCallBack, places } from "./places.ts";

export type JsonMembers = Record<string, unknown>;

/** A part of a response: where it is, and how it is put back. */
export interface ResponsePart<Value> {
  /** Whether the response to a request may have it. */
  appliesTo(request: WireRequest): boolean;
  /** Returns undefined for a response that does not have it. */
  read(response: WireResponse, server: InternalServer): Value | undefined;
  write(
    response: WireResponse,
    value: Value,
    server: InternalServer,
  ): WireResponse | Promise<WireResponse>;
}

/** An authorization response, on its way to the client. */
export interface RedirectDraft {
  /** Where the browser goes. */
  redirectUri: string;
  /** The parameters: `code`, `state`, `iss`, `error` and others. */
  parameters: Record<string, string>;
}

/** Changes a part of a response; one without that part stays as it is. */
export async function changePart<Value>(
  part: ResponsePart<Value>,
  server: InternalServer,
  response: WireResponse,
  change: (value: Value) => Value | Promise<Value>,
): Promise<WireResponse> {
  const value = part.read(response, server);
  return value === undefined ? response : await part.write(response, await change(value), server);
}

/** Returns the part that is the members of a successful response. */
export function jsonAt(
  appliesTo: ResponsePart<JsonMembers>["appliesTo"],
): ResponsePart<JsonMembers> {
  return {
    appliesTo,
    read: (response) => response.status < 300 ? jsonOf(response) : undefined,
    write: (response, members) => withJson(response, () => members),
  };
}

/** Returns the part that is a token in a member of a token response. */
export function tokenIn(
  member: string,
  appliesTo: ResponsePart<string>["appliesTo"] = places.token,
): ResponsePart<string> {
  return {
    appliesTo,
    read(response) {
      const token = jsonOf(response)?.[member];
      return typeof token === "string" ? token : undefined;
    },
    write: (response, token) => withJson(response, (body) => ({ ...body, [member]: token })),
  };
}

/** The access token of a token response: a JWT, or an opaque one. */
export const accessToken: ResponsePart<string> = tokenIn("access_token");

const sentWithTokens = tokenIn("id_token");

/** The ID token of a token response: a JWT. */
export const idToken: ResponsePart<string> = insideEnvelope(sentWithTokens);

/** An ID token, also of an authorization response, as the client gets it: it may be encrypted. */
export const sentIdToken: ResponsePart<string> = {
  appliesTo: (request) => sentWithTokens.appliesTo(request) || mayCallBack(request),
  read: (response, server) =>
    memberOf(callbackIn(response, server.issuer), "id_token") ??
      sentWithTokens.read(response, server),
  write(response, token, server) {
    const found = callbackIn(response, server.issuer);
    if (!found) return sentWithTokens.write(response, token, server);
    const members = found.members.map(([name, value]): [string, string] => [
      name,
      name === "id_token" ? token : value,
    ]);
    return withCallback(response, { ...found, members });
  },
};

/** The same ID token: a JWT. */
export const anyIdToken: ResponsePart<string> = insideEnvelope(sentIdToken);

/** The parameters of an authorization response. A signed one (JARM) is signed again. */
export const callback: ResponsePart<ReadableCallback> = {
  appliesTo: mayCallBack,
  read: (response, server) =>
    findCallback(response, server.issuer, (jwt) => openSealed(server, jwt)),
  async write(response, value, server) {
    const replaced = sentCallback.read(response, server) ?? "";
    const written = await writeCallback(server.context, response, value);
    return await changePart(
      sentCallback,
      server,
      written,
      (jwt) => sealLike(server, replaced, jwt),
    );
  },
};

/** The same parameters as an object; of two with the same name, the last one. */
export const redirect: ResponsePart<RedirectDraft> = {
  appliesTo: mayCallBack,
  read(response, server) {
    const found = callback.read(response, server);
    return found &&
      { redirectUri: found.redirectUri, parameters: Object.fromEntries(found.members) };
  },
  async write(response, { redirectUri, parameters }, server) {
    const members = Object.entries(parameters)
      .map(([name, value]): [string, string] => [name, String(value)]);
    return await changePart(
      callback,
      server,
      response,
      (found) => ({ ...found, redirectUri, members }),
    );
  },
};

/** The same JWT, as the client gets it: it may be encrypted. */
export const sentCallback: ResponsePart<string> = {
  appliesTo: mayCallBack,
  read: (response, { issuer }) => memberOf(callbackIn(response, issuer), "response"),
  write(response, jwt, { issuer }) {
    const found = callbackIn(response, issuer);
    return found ? withCallback(response, { ...found, members: [["response", jwt]] }) : response;
  },
};

/** The JWT of a signed authorization response (JARM). */
export const signedCallback: ResponsePart<string> = insideEnvelope(sentCallback);

/** A userinfo response that the server signs or encrypts, as the client gets it. */
export const sentUserinfo: ResponsePart<string> = {
  appliesTo: places.userinfo,
  read: ({ status, body }) => status < 300 && !isJson(body) ? body : undefined,
  write: (response, body) => ({ ...response, body }),
};

/** The JWT of a userinfo response that the server signs. */
export const signedUserinfo: ResponsePart<string> = insideEnvelope(sentUserinfo);

const userinfo = jsonAt(places.userinfo);

/** The claims of a userinfo response: JSON, which may be encrypted, or a JWT. */
export const userClaims: ResponsePart<JsonMembers> = {
  appliesTo: places.userinfo,
  read: (response, server) =>
    userinfo.read(response, server) ?? claimsIn(signedUserinfo.read(response, server) ?? ""),
  write: async (response, claims, server) =>
    userinfo.read(response, server)
      ? await userinfo.write(response, claims, server)
      : await changePart(
        signedUserinfo,
        server,
        response,
        async (text) =>
          isJson(text)
            ? JSON.stringify(claims)
            : await changeToken(server.context, text, (draft) => ({ ...draft, claims })),
      ),
};

function claimsIn(text: string): JsonMembers | undefined {
  return isJson(text) ? JSON.parse(text) : readJwt(text)?.claims;
}

function isJson(text: string): boolean {
  return text.startsWith("{");
}

/** Returns the same part, which is read and written as it is before it is encrypted. */
function insideEnvelope(part: ResponsePart<string>): ResponsePart<string> {
  return {
    ...part,
    read(response, server) {
      const text = part.read(response, server);
      return text === undefined ? undefined : openSealed(server, text);
    },
    async write(response, text, server) {
      const replaced = part.read(response, server) ?? "";
      return await part.write(response, await sealLike(server, replaced, text), server);
    },
  };
}
