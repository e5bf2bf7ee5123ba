import { assertEquals } from "@std/assert";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { callbackUri } from "../../conformance/suite.ts";
import { answerPages, type Browser, type Page, type UserActions } from "../../support/browser.ts";
import {
  assertionClaims,
  assertionType,
  type ClientKey,
  makeClientKey,
  seconds,
} from "../../support/client_key.ts";
import { makeProof, type ProofChanges, type ProofKey, proofKey } from "../../support/dpop.ts";
import { encode, type Fields, read, type ReadResponse, verifier } from "../../support/flow_kit.ts";
import { openPublicKit } from "../../support/public_kit.ts";

export interface FapiClient {
  id: string;
  key: ClientKey;
  proofKey: ProofKey;
}

/** What a module changes about any request of a client. */
interface RequestChanges {
  client?: FapiClient;
  /** Claims of the client assertion. */
  assertion?: Record<string, unknown>;
  /** Signs the client assertion instead of the client's key. */
  assertionKey?: ClientKey;
  /** Fields besides the request object or the parameters. */
  fields?: Fields;
}

/** What a module changes about a pushed request. */
export interface PushChanges extends RequestChanges {
  /** Parameters of the authorization request; one that is undefined is left out. */
  parameters?: Fields;
  /** Claims of the request object that are no parameters. */
  claims?: Record<string, unknown>;
  /** Signs the request object instead of the client's key. */
  signer?: ClientKey;
  /** Whether the request carries a DPoP proof. */
  proves?: boolean;
}

/** What a module changes about a token request. */
export interface TokenChanges extends RequestChanges {
  /** The DPoP proof; null sends none. */
  proof?: ProofChanges | null;
  proofKey?: ProofKey;
}

/** How a browser opens the authorization endpoint. */
interface Opening {
  client?: FapiClient;
  /** Parameters besides the request_uri. */
  fields?: Fields | undefined;
  browser?: Browser;
  actions?: UserActions;
}

/** A server under the profile fapi-2.0 with two clients, as both FAPI 2.0 plans need it. */
export type FapiSuite = ReturnType<typeof openFapiSuite>;

export const issuer = "https://hallpass.test";

export const [first, second] = await Promise.all([makeClient("first"), makeClient("second")]);

async function makeClient(id: string): Promise<FapiClient> {
  return { id, key: await makeClientKey("PS256", id), proofKey: await proofKey(`ES256 ${id}`) };
}

/** Requests are signed and responses are JWTs only where the plan for message signing needs it. */
export function openFapiSuite(signed: boolean) {
  const kit = openPublicKit({
    profile: "fapi-2.0",
    clients: [first, second].map(({ id, key }) => ({
      id,
      jwks: { keys: [key.publicJwk] },
      redirectUris: [callbackUri],
      requireSignedRequest: signed,
    })),
  });

  function parametersOf({ client = first, parameters }: PushChanges): Fields {
    const own = {
      client_id: client.id,
      redirect_uri: callbackUri,
      scope: "openid",
      nonce: "a-nonce",
    };
    return kit.parameters({ ...own, ...signed && { response_mode: "jwt" }, ...parameters });
  }

  async function requestObject(changes: PushChanges): Promise<string> {
    const { client = first, signer = client.key, claims } = changes;
    const now = seconds(kit);
    const own = { iss: client.id, aud: kit.issuer, nbf: now, exp: now + 300 };
    return await signer.sign({ ...parametersOf(changes), ...own, ...claims });
  }

  async function assertionOf({ client = first, assertion, assertionKey }: RequestChanges) {
    const key = assertionKey ?? client.key;
    const client_assertion = await key.sign({ ...assertionClaims(kit, client.id), ...assertion });
    return { client_assertion_type: assertionType, client_assertion };
  }

  async function proofFor(key: ProofKey, method: string, path: string, changes?: ProofChanges) {
    return {
      DPoP: await makeProof(key, method, kit.issuer + path, { now: kit.clock.now, ...changes }),
    };
  }

  /** Reads an authorization response, and verifies it if it is a JWT (JARM, section 2.4). */
  async function readParameters(page: Page, client: FapiClient): Promise<URLSearchParams> {
    if (page.status !== 303) return new URLSearchParams();
    const { searchParams } = new URL(page.url);
    if (!signed) return searchParams;
    assertEquals([...searchParams.keys()], ["response"]);
    const { text } = await read(await kit.get("/oauth2/jwks"));
    const keys = createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
    const { payload } = await jwtVerify(searchParams.get("response") ?? "", keys, {
      issuer: kit.issuer,
      audience: client.id,
      currentDate: new Date(kit.clock.now),
    });
    return new URLSearchParams(
      Object.entries(payload).map(([name, value]) => [name, String(value)]),
    );
  }

  const suite = {
    kit,
    async push(changes: PushChanges = {}): Promise<ReadResponse> {
      const { client = first, fields, proves = false } = changes;
      const request = signed
        ? { client_id: client.id, request: await requestObject(changes) }
        : parametersOf(changes);
      const headers = proves ? await proofFor(client.proofKey, "POST", "/oauth2/par") : {};
      const form = { ...request, ...await assertionOf(changes), ...fields };
      return await read(await kit.post("/oauth2/par", form, headers));
    },
    /** Opens the authorization endpoint with a pushed request, up to the callback or a page. */
    async authorize(request_uri: string, opening: Opening = {}) {
      const { client = first, fields, browser = kit.browser(), actions } = opening;
      const query = encode({ client_id: client.id, request_uri, ...fields });
      const opened = await browser.open(`${kit.issuer}/oauth2/authorize?${query}`);
      const page = await answerPages(browser, opened, actions);
      return { page, parameters: await readParameters(page, client) };
    },
    /** Pushes a request and completes it. */
    async complete(changes: PushChanges = {}, opening: Opening = {}) {
      const { status, body } = await suite.push(changes);
      assertEquals([status, body.error_description], [201, undefined]);
      const { client = first } = changes;
      return await suite.authorize(body.request_uri, { client, ...opening });
    },
    async code(changes?: PushChanges): Promise<string> {
      const { parameters } = await suite.complete(changes);
      assertEquals(parameters.get("error"), null);
      return parameters.get("code") ?? "";
    },
    async token(grant: Fields, changes: TokenChanges = {}): Promise<ReadResponse> {
      const { client = first, fields, proof = {}, proofKey } = changes;
      const headers = proof === null
        ? {}
        : await proofFor(proofKey ?? client.proofKey, "POST", "/oauth2/token", proof);
      return await kit.token({ ...grant, ...await assertionOf(changes), ...fields }, headers);
    },
    redeem(code: string, changes?: TokenChanges): Promise<ReadResponse> {
      const grant = { grant_type: "authorization_code", code, code_verifier: verifier };
      return suite.token({ ...grant, redirect_uri: callbackUri }, changes);
    },
    /** Calls userinfo with a bound token. */
    async userinfo(token: string, proof?: ProofChanges, scheme = "DPoP"): Promise<ReadResponse> {
      const DPoP = await proofFor(first.proofKey, "GET", "/oauth2/userinfo", { token, ...proof });
      const headers = { Authorization: `${scheme} ${token}`, ...DPoP };
      return await read(await kit.get("/oauth2/userinfo", headers));
    },
  };
  return suite;
}
