import type { ClientMetadata } from "../../../server/model/client.ts";
import { isClientIdUrl } from "../../../server/protocol/client_trust.ts";
import { issuerUrl } from "../../../server/protocol/issuer_url.ts";
import { LabError, unknownName } from "../../util/lab_error.ts";

/**
 * The metadata of a client (OAuth Client ID Metadata Document, section 4.1). Other members are kept
 * as they are.
 */
export interface HostedMetadata {
  /**
   * The URL of the document, which is the id of the client. With the URL of a real client, the lab
   * has its document without a fetch. Some clients take no other than `https`.
   *
   * @default a URL of the lab
   */
  client_id?: string | undefined;
  /** The name of the client, which the consent page shows. */
  client_name?: string | undefined;
  /** Where authorization responses may go. */
  redirect_uris?: string[] | undefined;
  /**
   * How the client authenticates: `none`, or `private_key_jwt` with its keys.
   *
   * @default "none"
   */
  token_endpoint_auth_method?: string | undefined;
  /** The grants that the client uses. */
  grant_types?: string[] | undefined;
  /** The scopes that the client may ask for, separated by spaces. */
  scope?: string | undefined;
  /** The URL of the client's keys. */
  jwks_uri?: string | undefined;
}

/** The metadata document of a client that a lab hosts. */
export interface ClientDocument {
  /** The name of the document in its lab. */
  id: string;
  /** The URL of the document, which is the `client_id`. */
  url: string;
  /** The document. */
  document: Record<string, unknown>;
}

/** The metadata documents that a lab hosts. */
export type ClientDocuments = ReturnType<typeof createClientDocuments>;

/** The path of the documents below the issuer. */
export const documentsPath = "/client-documents/";

const maxDocuments = 1000;
/** What the server accepts from other sites. */
const maxBytes = 10 * 1024;

export function createClientDocuments(issuerOf: () => string) {
  const documents = new Map<string, ClientDocument>();
  const byUrl = new Map<string, ClientMetadata>();
  let count = 0;

  function host(hosted: ClientDocument): void {
    documents.set(hosted.id, hosted);
    byUrl.set(hosted.url, hosted.document);
  }

  function remove(id: string): void {
    const found = documents.get(id);
    if (!found) throw unknownName("client document", id, [...documents.keys()]);
    documents.delete(id);
    byUrl.delete(found.url);
  }

  function clear(): void {
    for (const id of [...documents.keys()]) remove(id);
    count = 0;
  }

  return {
    /** The documents by their URLs, which the server accepts as `client_id`. */
    byUrl,
    /**
     * Hosts a document from now on.
     *
     * @throws {LabError} The document is too large, its URL is invalid or taken, or the lab hosts too
     * many.
     */
    add(members: HostedMetadata & Record<string, unknown>): ClientDocument {
      if (documents.size >= maxDocuments) {
        throw new LabError(`A lab hosts ${maxDocuments} client documents at most.`);
      }
      const id = String(count + 1);
      const { client_id: url = issuerUrl(issuerOf(), `${documentsPath}${id}`) } = members;
      checkUrl(members.client_id, byUrl);
      const document = copyOf({ ...members, client_id: url });
      count++;
      const hosted = { id, url, document };
      host(hosted);
      return hosted;
    },
    find: (id: string) => documents.get(id),
    list: () => [...documents.values()],
    /** @throws {LabError} There is no such document. */
    remove,
    clear,
    capture(): () => void {
      const [captured, capturedCount] = [[...documents.values()], count];
      return () => {
        captured.forEach(host);
        count = capturedCount;
      };
    },
  };
}

/** Checks the URL that a test chose: any client may use it from then on. */
function checkUrl(url: string | undefined, hosted: ReadonlyMap<string, unknown>): void {
  if (url === undefined) return;
  if (typeof url !== "string" || !isClientIdUrl(url)) {
    throw new LabError("The 'client_id' of a document must be an https URL with a path.");
  }
  if (hosted.has(url)) throw new LabError(`The lab hosts the document of '${url}' already.`);
}

/** Copies a document as a fetch would: as JSON of limited size. */
function copyOf(document: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(document);
  if (new TextEncoder().encode(text).length > maxBytes) {
    throw new LabError(`A client document has ${maxBytes / 1024} kB at most.`);
  }
  return JSON.parse(text);
}
