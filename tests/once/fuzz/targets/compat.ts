import { assert } from "@std/assert";
import fc from "fast-check";
import { OAuth2Server } from "../../../../src/lab/compat/oauth2_mock_server/mod.ts";
import { withTimeout } from "../../../../src/server/util/time/promises.ts";
import { type MockRequest, sendMessage } from "../../../support/mock_message.ts";
import { type FuzzTarget, fuzzTarget } from "../fuzz_target.ts";
import { anyForm } from "../generators/forms.ts";
import { anyText } from "../generators/texts.ts";
import { anyJson, anyJwt } from "../generators/values.ts";

const form = "application/x-www-form-urlencoded";
const json = "application/json";

/** The endpoints of the mock server. */
const paths = [
  ...["authorize", "token", "jwks", "userinfo", "introspect", "revoke", "endsession"],
  ...[".well-known/openid-configuration"],
];
const grant = fc.constantFrom(
  ...["authorization_code", "refresh_token", "password", "client_credentials"],
  ...["urn:ietf:params:oauth:grant-type:jwt-bearer"],
);

/** What a header may have. Runtimes refuse to send anything else. */
const headerText = fc.oneof(anyText, anyJwt).map((text) => text.replace(/[^ -~]/g, "").trim());
const authorization = fc.tuple(fc.constantFrom("Bearer ", "Basic ", "DPoP ", ""), headerText)
  .map((parts) => parts.join("").trim());

/** A complete request at first, so that more than its first parameter is read. */
const query = fc.tuple(
  fc.constantFrom("", "response_type=code&client_id=web&redirect_uri=http://app/&scope=openid&"),
  anyForm,
).map((parts) => parts.join(""));
const bodies = fc.oneof(
  fc.tuple(grant, anyForm).map(([type, rest]) => ({
    type: form,
    text: `grant_type=${type}&client_id=web&${rest}`,
  })),
  fc.tuple(grant, anyJson).map(([grant_type, others]) => ({
    type: json,
    text: JSON.stringify({ grant_type, ...Object(others) }),
  })),
  fc.record({ type: headerText, text: anyText }),
);

const requests: fc.Arbitrary<MockRequest[]> = fc.array(
  fc.record({
    method: fc.constantFrom("GET", "GET", "POST", "POST", "POST", "PUT", "OPTIONS"),
    path: fc.constantFrom(...paths),
    query,
    authorization,
    body: bodies,
  }).map(({ method, path, query, authorization, body: { type, text } }) => ({
    method,
    path: `/${path}?${query}`,
    headers: { authorization, "content-type": type },
    body: method === "GET" || method === "OPTIONS" ? undefined : text.toWellFormed(),
  })),
  { minLength: 1, maxLength: 6 },
);

/** Sends requests, each of which must get a response that is no failure. */
async function assertAnswered(
  all: readonly MockRequest[],
  send: (request: MockRequest) => Promise<number>,
): Promise<void> {
  for (const request of all) {
    const where = `${request.method} ${request.path}`;
    const hangs = () => new Error(`${where} hangs`);
    const status = await withTimeout(5000, send(request), hangs);
    assert(status < 500, `${where}: ${status}`);
  }
}

/** The server that takes the place of another in a suite. */
export const compatTargets: readonly FuzzTarget[] = [
  fuzzTarget("oauth2-mock-server answers anything", requests, async (all) => {
    const server = new OAuth2Server();
    await server.issuer.keys.generate("ES256", { kid: "one" });
    server.issuer.url = "https://provider.example";
    await assertAnswered(all, async (request) => (await sendMessage(server, request)).status);
    await server.service.closeLab();
  }, 10),
];
