import { assertEquals } from "@std/assert";
import type { Store } from "../../../src/server/store/store.ts";
import type { Browser } from "../../support/browser.ts";
import { answerCiba, cibaGrant } from "../../support/ciba.ts";
import {
  assertionClaims,
  assertionType,
  type ClientKey,
  makeClientKey,
  seconds,
} from "../../support/client_key.ts";
import {
  type Fields,
  type Kit,
  openStrictKit,
  read,
  type ReadResponse,
} from "../../support/kit.ts";
import { authorities, keyWith } from "./mtls_kit.ts";
import { type CertificateName, derOf } from "./read_certificates.ts";

const alias = "https://mtls.hallpass.test";
const tokenPath = "/oauth2/token";
const backchannelPath = "/oauth2/backchannel_authentication";
const pingEndpoint = "https://suite.example/ciba-notification-endpoint";

/** One of the four plans. */
export interface CibaVariant {
  mode: "poll" | "ping";
  authentication: "private_key_jwt" | "mtls";
}

export interface CibaClient {
  id: string;
  key: ClientKey;
  /** The certificate of its connections; without one, it proves none. */
  certificate: CertificateName | undefined;
}

/** What a module changes about a request of a client. */
interface CallChanges {
  /** The client whose key and connection the request has. */
  client?: CibaClient;
  /** The id that the request names. */
  id?: string;
  /** Claims of the client assertion; null sends none. */
  assertion?: Record<string, unknown> | null;
  /** Signs the assertion instead of the key of the client. */
  assertionKey?: ClientKey;
  fields?: Fields;
}

/** What a module changes about a backchannel authentication request. */
export interface BeginChanges extends CallChanges {
  /** Claims and parameters of the signed request. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Makes the request object of its claims; without it, the key of the client signs. */
  signRequest?: (claims: object) => string | Promise<string>;
}

/** A ping that the client received. */
interface ReceivedPing {
  url: string;
  authorization: string | undefined;
  body: unknown;
}

/** A server with two clients, as FAPI-CIBA certifies it: without the profile fapi-2.0. */
export interface CibaSuite extends CibaVariant {
  kit: Kit;
  client: CibaClient;
  second: CibaClient;
  pings: ReceivedPing[];
  /** How the client responds to the next pings; the others get 204. */
  pingResponses: Response[];
  begin(changes?: BeginChanges): Promise<ReadResponse>;
  /** Begins a request, and returns its auth_req_id. */
  begun(changes?: BeginChanges): Promise<string>;
  poll(authReqId: string, changes?: CallChanges): Promise<ReadResponse>;
  token(grant: Fields, changes?: CallChanges): Promise<ReadResponse>;
  /** Decides as the user, and waits until pings are sent. */
  decide(decision?: "allow" | "deny", browser?: Browser): Promise<void>;
  /** Lets time pass, and the server retry what is due. */
  wait(seconds: number): Promise<void>;
  /** Calls a protected resource over the connection of a client. */
  userinfo(token: string, client?: CibaClient): Promise<ReadResponse>;
}

const [first, second] = [
  { id: "first", key: await makeClientKey("PS256", "first"), certificate: "plain" },
  { id: "second", key: await makeClientKey("PS256", "second"), certificate: "by_ed" },
] as const;

export function openCibaSuite(variant: CibaVariant, store?: Store): CibaSuite {
  const pings: ReceivedPing[] = [];
  const pingResponses: Response[] = [];
  const usesKeys = variant.authentication === "private_key_jwt";
  const kit = openStrictKit({
    ...store && { store, secret: "0123456789-0123456789-0123456789-a" },
    // A plan sends several within a minute.
    backchannelRequestsPerMinute: 100,
    mtls: { url: alias, authorities },
    alg: "PS256",
    grantTypes: [cibaGrant, "refresh_token"],
    clients: [first, second].map(({ id, key, certificate }) => ({
      id,
      jwks: { keys: [key.publicJwk, keyWith(certificate)] },
      authentication: [usesKeys ? "private_key_jwt" : "self_signed_tls_client_auth"],
      ...usesKeys && { authenticationAlg: "PS256", assertionAudience: "token-endpoint" },
      grantTypes: [cibaGrant, "refresh_token"],
      idTokenAlg: "PS256",
      certificateBoundTokens: true,
      backchannelRequestAlg: "PS256",
      backchannelDeliveryMode: variant.mode,
      backchannelNotificationEndpoint: pingEndpoint,
    })),
    fetch: (url, { headers: { Authorization: authorization }, body = "" }) => {
      pings.push({ url, authorization, body: JSON.parse(body) });
      return Promise.resolve(pingResponses.shift() ?? new Response(null, { status: 204 }));
    },
  });
  const { background } = kit.server.context;

  /** Sends a form over the connection of a client. */
  async function call(
    path: string,
    fields: Fields,
    { client = first, id = client.id, ...changes }: CallChanges,
    aud: string,
  ): Promise<ReadResponse> {
    const { assertion = {}, assertionKey = client.key } = changes;
    const claims = { ...assertionClaims(kit, id), aud, ...assertion };
    kit.certificates = client.certificate && [derOf(client.certificate)];
    return await read(
      await kit.post(path, {
        ...fields,
        ...usesKeys && assertion
          ? {
            client_assertion_type: assertionType,
            client_assertion: await assertionKey.sign(claims),
          }
          : { client_id: id },
        ...changes.fields,
      }),
    );
  }

  async function signedRequest(changes: BeginChanges): Promise<string> {
    const { client = first, claims = {}, header } = changes;
    const { signRequest = (object: object) => client.key.sign(object, header) } = changes;
    const now = seconds(kit);
    const times = { iat: now, nbf: now, exp: now + 300 };
    return await signRequest({
      iss: client.id,
      aud: kit.issuer,
      jti: crypto.randomUUID(),
      ...times,
      scope: "openid profile",
      login_hint: "alice",
      binding_message: "1234",
      ...variant.mode === "ping" && { client_notification_token: `${"a-0._~+/".repeat(4)}=` },
      ...claims,
    });
  }

  const suite: CibaSuite = {
    ...variant,
    kit,
    client: first,
    second,
    pings,
    pingResponses,
    async begin(changes = {}) {
      const request = await signedRequest(changes);
      return await call(backchannelPath, { request }, changes, kit.issuer + backchannelPath);
    },
    async begun(changes) {
      const { status, body } = await suite.begin(changes);
      assertEquals([status, body.error_description], [200, undefined]);
      return body.auth_req_id;
    },
    poll: (auth_req_id, changes) => suite.token({ grant_type: cibaGrant, auth_req_id }, changes),
    // The suite names the alias of the token endpoint, which is a leniency.
    token: (grant, changes = {}) => call(tokenPath, grant, changes, alias + tokenPath),
    async decide(decision = "allow", browser = kit.browser()) {
      await answerCiba(kit, { decision }, browser);
      await background.idle();
    },
    async wait(seconds) {
      kit.clock.advance(seconds);
      await kit.get("/health");
      await background.idle();
    },
    async userinfo(token, client = first) {
      kit.certificates = client.certificate && [derOf(client.certificate)];
      const headers = { Authorization: `Bearer ${token}` };
      return await read(await kit.get("/oauth2/userinfo", headers));
    },
  };
  return suite;
}
