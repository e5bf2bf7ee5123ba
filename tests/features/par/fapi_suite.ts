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
import {
  challenge,
  encode,
  type Fields,
  read,
  type ReadResponse,
  verifier,
} from "../../support/flow_kit.ts";
import { openPublicKit, type PublicKit } from "../../support/public_kit.ts";

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

/** A response at the callback, or the page on which the browser ended. */
export interface FapiOutcome {
  parameters: URLSearchParams;
  page: Page;
}

/** A server under the profile fapi-2.0 with two clients, as both FAPI 2.0 plans need it. */
export interface FapiSuite {
  kit: PublicKit;
  /** Whether requests are signed and responses are JWTs, as in the plan for message signing. */
  signed: boolean;
  push(changes?: PushChanges): Promise<ReadResponse>;
  /** Opens the authorization endpoint with a pushed request. */
  authorize(requestUri: string, opening?: Opening): Promise<FapiOutcome>;
  /** Pushes a request and completes it. */
  complete(changes?: PushChanges, opening?: Opening): Promise<FapiOutcome>;
  code(changes?: PushChanges): Promise<string>;
  token(grant: Fields, changes?: TokenChanges): Promise<ReadResponse>;
  redeem(code: string, changes?: TokenChanges): Promise<ReadResponse>;
  /** Calls userinfo with a bound token. */
  userinfo(token: string, proof?: ProofChanges, scheme?: string): Promise<ReadResponse>;
}

/** How a browser opens the authorization endpoint. */
export interface Opening {
  client?: FapiClient;
  /** Parameters besides the request_uri. */
  fields?: Fields | undefined;
  browser?: Browser;
  actions?: UserActions;
}

export const issuer = "https://hallpass.test";

export const [first, second] = await Promise.all([makeClient("first"), makeClient("second")]);

async function makeClient(id: string): Promise<FapiClient> {
  return { id, key: await makeClientKey("PS256", id), proofKey: await proofKey(`ES256 ${id}`) };
}

export function openFapiSuite(signed: boolean): FapiSuite {
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
    return {
      client_id: client.id,
      response_type: "code",
      redirect_uri: callbackUri,
      scope: "openid",
      state: "a-state",
      nonce: "a-nonce",
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...signed && { response_mode: "jwt" },
      ...parameters,
    };
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

  const suite: FapiSuite = {
    kit,
    signed,
    async push(changes = {}) {
      const { client = first, fields, proves = false } = changes;
      const request = signed
        ? { client_id: client.id, request: await requestObject(changes) }
        : parametersOf(changes);
      const headers = proves ? await proofFor(client.proofKey, "POST", "/oauth2/par") : {};
      const form = { ...request, ...await assertionOf(changes), ...fields };
      return await read(await kit.post("/oauth2/par", form, headers));
    },
    async authorize(
      request_uri,
      { client = first, fields, browser = kit.browser(), actions } = {},
    ) {
      const query = encode({ client_id: client.id, request_uri, ...fields });
      const opened = await browser.open(`${kit.issuer}/oauth2/authorize?${query}`);
      const page = await answerPages(browser, opened, actions);
      return { page, parameters: await readParameters(suite, page, client) };
    },
    async complete(changes, opening) {
      const { status, body } = await suite.push(changes);
      assertEquals([status, body.error_description], [201, undefined]);
      return await suite.authorize(body.request_uri, {
        ...changes,
        ...opening,
        fields: opening?.fields,
      });
    },
    async code(changes) {
      const { parameters } = await suite.complete(changes);
      assertEquals(parameters.get("error"), null);
      return parameters.get("code") ?? "";
    },
    async token(grant, changes = {}) {
      const { client = first, fields, proof = {}, proofKey } = changes;
      const headers = proof === null
        ? {}
        : await proofFor(proofKey ?? client.proofKey, "POST", "/oauth2/token", proof);
      return await kit.token({ ...grant, ...await assertionOf(changes), ...fields }, headers);
    },
    redeem: (code, changes) => {
      const grant = { grant_type: "authorization_code", code, code_verifier: verifier };
      return suite.token({ ...grant, redirect_uri: callbackUri }, changes);
    },
    async userinfo(token, proof, scheme = "DPoP") {
      const changes = { token, ...proof };
      return await read(
        await kit.get("/oauth2/userinfo", {
          Authorization: `${scheme} ${token}`,
          ...await proofFor(first.proofKey, "GET", "/oauth2/userinfo", changes),
        }),
      );
    },
  };
  return suite;
}

/** Reads an authorization response, and verifies it if it is a JWT (JARM, section 2.4). */
async function readParameters(
  { kit, signed }: FapiSuite,
  page: Page,
  client: FapiClient,
): Promise<URLSearchParams> {
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
  return new URLSearchParams(Object.entries(payload).map(([name, value]) => [name, String(value)]));
}
