import type { Dialect } from "./dialect.ts";
import type { DialectAddress } from "./dialect_address.ts";
import { matchPath, pathBelow } from "./match_path.ts";
import type { AliasTarget, FixedDocument, TokenApi, UserApi } from "./place_settings.ts";
import { fillTemplate } from "./template.ts";

export type DialectPlace =
  | { kind: "alias"; endpoint: AliasTarget }
  | { kind: "document"; document: FixedDocument; segment: string }
  | { kind: "userApi"; api: UserApi }
  | { kind: "tokenApi"; api: TokenApi; segment: string }
  | { kind: "certificates" }
  | { kind: "hidden" };

/** The metadata of the server and of its APIs. Endpoints may be below `/.well-known`, too: keys are. */
const ownDocument = /\/\.well-known\/(?:openid-configuration|oauth-)/;

export function createDialectPlaces(
  {
    aliases = [],
    documents: templates = [],
    userApis = [],
    tokenApis = [],
    certificates,
    ownMetadata = true,
  }: Dialect,
  address: DialectAddress,
): (pathname: string, method?: string) => DialectPlace | undefined {
  const documents = templates.map((each) => ({
    ...each,
    path: String(fillTemplate(each.path, { ...address })),
  }));
  return (pathname, method) => {
    const path = unescapePath(pathBelow(pathname, address.base));
    const document = matchPath(documents, path);
    if (document) {
      return { kind: "document", document: document.place, segment: document.segment };
    }
    const api = matchPath(userApis, path);
    if (api) return { kind: "userApi", api: api.place };
    const ofMethod = tokenApis.filter((each) => (each.method ?? "POST") === method);
    const tokenApi = matchPath(ofMethod, path);
    if (tokenApi) return { kind: "tokenApi", api: tokenApi.place, segment: tokenApi.segment };
    if (path === certificates) return { kind: "certificates" };
    const alias = matchPath(aliases, path);
    if (alias) return { kind: "alias", endpoint: alias.place.to };
    return !ownMetadata && ownDocument.test(path) ? { kind: "hidden" } : undefined;
  };
}

/** Unescapes what needs no escape in a path (RFC 3986, section 3.3): `/users/%40me`. */
function unescapePath(path: string): string {
  return path.replace(/%[2-7][0-9a-f]/gi, (escaped) => {
    const character = decodeURIComponent(escaped);
    return /[\w.~!$&'()*+,;=:@-]/.test(character) ? character : escaped;
  });
}
