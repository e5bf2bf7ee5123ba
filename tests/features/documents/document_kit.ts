import type { LabConfig } from "../../../src/lab/lab_config.ts";
import type { Browser, Page } from "../../support/browser.ts";
import { type Fields, type Kit, openKit } from "../../support/kit.ts";

export const documentUrl = "https://app.example/client.json";

type WebResponse = Response | Promise<Response>;

/** A web in which every URL describes a client, until a test changes how it responds. */
interface Web {
  /** The URLs that were fetched, in order. */
  asked: string[];
  respond(url: string): WebResponse;
}

/** A lab, and the web from which it fetches documents. */
export interface DocumentKit extends Kit {
  web: Web;
}

/** Returns the document of a client at a URL, with a test's changes. */
export function documentOf(url: string = documentUrl, changes: object = {}) {
  return {
    client_id: url,
    client_name: "App",
    redirect_uris: [redirectUriOf(url)],
    grant_types: ["authorization_code", "refresh_token"],
    id_token_signed_response_alg: "EdDSA",
    ...changes,
  };
}

/** The redirect URI of a client that a document describes. */
export function redirectUriOf(client_id: string): string {
  return new URL("/cb", client_id).href;
}

/** Responds with the document of each client, with a test's changes. */
export function described(changes?: object): (url: string) => Response {
  return (url) => Response.json(documentOf(url, changes));
}

/** Responds with a status and no document. */
export function failing(status: number): () => Response {
  return () => new Response(null, { status });
}

export function openWeb(respond: Web["respond"] = described()): Web {
  return { asked: [], respond };
}

/** Opens a lab that fetches from a web, which may be that of another lab. */
export function openDocuments(config: Partial<LabConfig> = {}, web: Web = openWeb()): DocumentKit {
  const fetchUntrusted = async (url: string) => {
    web.asked.push(url);
    return await web.respond(url);
  };
  return Object.assign(openKit({ fetchUntrusted, ...config }), { web });
}

/** Opens the page to which an authorization request of a client leads. */
export function openAs(
  kit: Kit,
  client_id: string,
  changes: Fields = {},
  browser: Browser = kit.browser(),
): Promise<Page> {
  const redirect_uri = redirectUriOf("https://app.example");
  return browser.open(kit.authorizationUrl({ client_id, redirect_uri, ...changes }));
}
