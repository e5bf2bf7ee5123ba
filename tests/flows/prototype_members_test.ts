import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { type Fields, type Kit, openKit, openLabKit, service } from "../support/kit.ts";
import { register } from "../support/registration.ts";
import { needs } from "../support/where_feature.ts";

/** Names that every object has: a look-up in a table must not find them. */
const members = Object.getOwnPropertyNames(Object.prototype);

const authorizationParameters = [
  ...["audience", "scope", "prompt", "response_type", "response_mode", "acr_values"],
  ...["ui_locales", "claims_locales", "login_hint", "code_challenge_method", "display"],
];
const tokenParameters = [
  ...["grant_type", "audience", "scope", "client_assertion_type", "subject_token_type"],
];
const metadataMembers = [
  ...["token_endpoint_auth_method", "grant_types", "response_types", "scope", "subject_type"],
  ...["id_token_signed_response_alg", "application_type"],
];

/** A user who has a remembered consent to demo-spa. */
async function openConsented() {
  const kit = openKit({ audienceParameter: true });
  const browser = kit.browser();
  await kit.authorize({ scope: "openid" }, {}, browser);
  const authorize = (changes: Fields) =>
    browser.request(kit.authorizationUrl({ scope: "openid", ...changes }));
  return { kit, authorize };
}

/** Returns whether a response is an error of the server, itself or in its redirect. */
function isServerError(response: Response): boolean {
  return response.status >= 500 ||
    (response.headers.get("Location") ?? "").includes("error=server_error");
}

function tokenRequest(kit: Kit, changes: Fields): Promise<Response> {
  return kit.post("/oauth2/token", { grant_type: "client_credentials", ...changes }, service);
}

describe("A name that every object has", () => {
  for (const parameter of authorizationParameters) {
    it(`S11: is no error of the server as ${parameter} of an authorization request`, async () => {
      const { authorize } = await openConsented();
      for (const member of members) {
        const response = await authorize({ [parameter]: member });
        assertEquals([member, isServerError(response)], [member, false]);
      }
    });
  }

  it("S11: is no error of the server in claims and authorization_details", async () => {
    const { authorize } = await openConsented();
    for (const member of members) {
      const claims = `{"userinfo":{"${member}":null},"id_token":{"${member}":{"value":"x"}}}`;
      const authorization_details = `[{"type":"${member}"}]`;
      for (const changes of [{ claims }, { authorization_details }]) {
        assertEquals([member, isServerError(await authorize(changes))], [member, false]);
      }
    }
  });

  it("S11: is no error of the server in a token request", async () => {
    const { kit } = await openConsented();
    for (const member of members) {
      for (const parameter of tokenParameters) {
        const response = await tokenRequest(kit, { [parameter]: member });
        assertEquals([parameter, member, isServerError(response)], [parameter, member, false]);
      }
    }
  });

  it("S11: is no error of the server in a registration", async () => {
    const { kit } = await openConsented();
    for (const name of metadataMembers) {
      for (const member of members) {
        for (const value of [member, [member]]) {
          const { status } = await register(kit, { [name]: value });
          assertEquals([name, member, status < 500], [name, member, true]);
        }
      }
    }
  });

  it("S11: is text in the pages of a lab", needs("any_scope"), async () => {
    const kit = openLabKit({ anyScope: true });
    for (const member of members) {
      await tokenRequest(kit, { grant_type: member });
      await tokenRequest(kit, { scope: [member, member], [member]: "1" });
      await kit.get(`/oauth2/authorize?client_id=demo-spa&${member}=1&${member}=2`);
      await kit.ask({ scope: `openid ${member}` });
    }
    const ids = kit.lab.exchanges().map(({ id }) => id);
    for (const path of ["/lab", ...ids.map((id) => `/lab/flows/${id}`)]) {
      const response = await kit.lab.fetch(new Request(kit.issuer + path));
      const html = await response.text();
      assertEquals(path, path);
      assertEquals(response.status < 500, true);
      assertEquals(html.includes("[native code]"), false);
    }
  });
});
