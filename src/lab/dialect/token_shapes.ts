import { findClient } from "../../server/issuer/clients/clients.ts";
import type { Context } from "../../server/issuer/context.ts";
import { forever } from "../../server/issuer/records/table.ts";
import type { InternalServer } from "../../server/server.ts";
import { canonicalJson } from "../../server/util/text/json.ts";
import {
  type BoundedMap,
  createBoundedMap,
  megabyte,
} from "../../server/util/values/bounded_map.ts";
import { readJwt } from "../recording/credentials.ts";
import type { WireResponse } from "../recording/exchange.ts";
import { type ChangeToken, changeTokens } from "../responses/change_tokens.ts";
import { accessToken, idToken, type JsonMembers } from "../responses/part.ts";
import { changeToken, isSignedByServer, type TokenDraft } from "../tokens/signed_tokens.ts";
import type { Dialect } from "./dialect.ts";
import type { MemberChange, TokenShape } from "./response_settings.ts";
import { fillMembers, type TemplateValues } from "./template.ts";

/** The algorithm of ID tokens that the lab signs with a separate key. */
const ownKeyAlg = "RS256";

/** How much memory tokens take, which are remembered by the shape that clients know. */
const maxTokenBytes = 32 * megabyte;

type TokenKind = "idToken" | "accessToken";

/**
 * Gives tokens the shape of a dialect, and knows them again when a client presents them: the server
 * verifies the token that it issued, with what a test changed in the other one.
 */
export type TokenShapes = ReturnType<typeof createTokenShapes>;

export function createTokenShapes(
  shapes: Dialect,
  valuesOf: (claims: Readonly<Record<string, unknown>>) => TemplateValues,
) {
  const originals: BoundedMap<string> = createBoundedMap(maxTokenBytes);

  function changeOf(ctx: Context, kind: TokenKind): ChangeToken | undefined {
    const shape = shapes[kind];
    const hasOwnKey = kind === "idToken" && shapes.idTokenKey === "own";
    if (!shape && !hasOwnKey) return undefined;
    return async (draft) => {
      const authentication = await authenticationOf(ctx, draft.claims.client_id);
      const values = { ...valuesOf(draft.claims), authentication };
      const changed = shape ? shaped(draft, shape, values) : draft;
      return hasOwnKey ? await withOwnKey(ctx, changed) : changed;
    };
  }

  return {
    /** Returns a token response with tokens in that shape. */
    async shape(server: InternalServer, response: WireResponse): Promise<WireResponse> {
      const token = changeOf(server.context, "accessToken");
      const id_token = changeOf(server.context, "idToken");
      if (!token && !id_token) return response;
      const changed = await changeTokens(server, response, { token, id_token });
      for (const { read } of [accessToken, idToken]) {
        const [before, after] = [response, changed].map((each) => read(each, server));
        if (before !== after) originals.set(String(after), String(before));
      }
      return changed;
    },
    /** Returns a token of either kind in that shape. */
    async shapeToken(ctx: Context, kind: TokenKind, token: string): Promise<string> {
      const change = changeOf(ctx, kind);
      return change ? await changeToken(ctx, token, change) : token;
    },
    async follow(server: InternalServer, before: WireResponse, after: WireResponse): Promise<void> {
      for (const { read } of [accessToken, idToken]) {
        const [given = "", changed = ""] = [before, after].map((each) => read(each, server));
        const [original, old, now] = [originals.get(given), readJwt(given), readJwt(changed)];
        if (original === undefined || !old || !now || originals.get(changed)) continue;
        if (!await isSignedByServer(server.context, changed, now)) continue;
        const change = ({ header, claims }: TokenDraft) => ({
          header: withDifference(header, old.header, now.header),
          claims: withDifference(claims, old.claims, now.claims),
        });
        originals.set(changed, await changeToken(server.context, original, change));
      }
    },
    /** Remembers the access token that the server knows, for the one that a client gets. */
    remember: originals.set,
    /** Returns the token that the server issued, for one that a client presents. */
    originalOf: (token: string) => originals.get(token) ?? token,
  };
}

/** Returns an ID token that names its own key, which then signs it. */
async function withOwnKey(ctx: Context, draft: TokenDraft): Promise<TokenDraft> {
  if (draft.header.alg !== ownKeyAlg) return draft;
  return { ...draft, header: { ...draft.header, kid: await ownKeyId(ctx) } };
}

/**
 * Returns the id of a key that is published like the others, and signs only what names it. A lab
 * whose owner configured the keys has no further one.
 */
export async function ownKeyId({ keys }: Context): Promise<string> {
  const { kid: active } = await keys.active(ownKeyAlg);
  const isOwn = (key: { alg: string; from?: number | undefined }) =>
    key.alg === ownKeyAlg && key.from === forever;
  const own = (await keys.list()).find(isOwn) ??
    await keys.extend(ownKeyAlg, (ordered) => ordered.some(isOwn) ? undefined : forever);
  if (own) return own.kid;
  const configured = await keys.configured();
  return configured.find(({ alg, kid }) => alg === ownKeyAlg && kid !== active)?.kid ?? active;
}

/** Returns how a client authenticates, as a number: 0 not at all, 1 by a secret, 2 by a key. */
async function authenticationOf(ctx: Context, id: unknown): Promise<string> {
  const methods = (await findClient(ctx, String(id)))?.authentication ?? ["none"];
  if (methods.every((method) => method === "none")) return "0";
  return methods.some((method) => method.startsWith("client_secret_")) ? "1" : "2";
}

/** The server reads the claims of opaque tokens itself, and no client does. */
function shaped(draft: TokenDraft, shape: TokenShape, values: TemplateValues): TokenDraft {
  if (Object.keys(draft.header).length === 0) return draft;
  return {
    header: withChange(draft.header, shape.header ?? {}, values),
    claims: withChange(draft.claims, shape, values),
  };
}

/** Returns members with what is different between two versions of others. */
function withDifference(
  members: JsonMembers,
  before: JsonMembers,
  after: JsonMembers,
): JsonMembers {
  const isRemoved = (name: string) => Object.hasOwn(before, name) && !Object.hasOwn(after, name);
  const isChanged = ([name, value]: readonly [string, unknown]) =>
    canonicalJson(value) !== canonicalJson(before[name]);
  return Object.fromEntries([
    ...Object.entries(members).filter(([name]) => !isRemoved(name)),
    ...Object.entries(after).filter(isChanged),
  ]);
}

export function withChange(
  members: Readonly<Record<string, unknown>>,
  { set = {}, unset = [], keep }: MemberChange,
  values: TemplateValues,
): Record<string, unknown> {
  const kept = Object.entries(members)
    .filter(([name]) => !unset.includes(name) && keep?.includes(name) !== false);
  return { ...Object.fromEntries(kept), ...fillMembers(set, values) };
}
