import { ask, post, token } from "../refusals.ts";
import { as, type BrokenRules, type RuleLab, signed } from "./rule_lab.ts";

const form = "application/x-www-form-urlencoded";
const assertion = {
  client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
};

/** Sends a body that is no form of a library. */
function send(
  kit: RuleLab,
  body: BodyInit,
  type = form,
  path = "/oauth2/token",
): Promise<Response> {
  // Node requires `duplex` for a stream.
  const init = { method: "POST", headers: { "Content-Type": type }, body, duplex: "half" };
  return kit.request(path, init);
}

/** Sends an Authorization header to the token endpoint. */
function authorize(Authorization: string) {
  return token({}, { Authorization });
}

/** Rules for every endpoint: how a request reaches it, and what its body is. */
export const requestRows: BrokenRules = {
  "request.address": (kit) => kit.get("/oauth2/token", { Host: "a b" }),
  "request.path": (kit) => kit.get("/oauth2/tokens"),
  "request.method": (kit) => kit.get("/oauth2/token"),
  "request.no_secret_in_uri": post("/oauth2/token?code=a", {}),
  "body.form": (kit) => send(kit, "{}", "application/json"),
  "body.json_type": (kit) => send(kit, "{}", form, "/oauth2/register"),
  "body.json": (kit) => send(kit, "{", "application/json", "/oauth2/register"),
  "body.size": (kit) => send(kit, "a".repeat(65 * 1024)),
  "body.complete": (kit) => send(kit, new ReadableStream({ start: (body) => body.error("cut") })),
  "body.utf8": (kit) => send(kit, new Uint8Array([0xff])),
  "body.mark": (kit) => send(kit, "\ufeffcode=a"),
  "form.count": (kit) => send(kit, "a&".repeat(257)),
  "form.encoding": (kit) => send(kit, "code=%ff"),
  "form.length": (kit) => send(kit, `code=${"a".repeat(16 * 1024 + 1)}`),
  "form.unique": (kit) => send(kit, "code=a&code=b"),
  "form.stored_length": ask({ state: "a".repeat(2049) }),
};

/** The rules of client authentication. */
export const clientRows: BrokenRules = {
  "client.basic_scheme": authorize("Bearer a"),
  "client.basic_base64": authorize(`Basic ${btoa("a")}`),
  "client.basic_encoding": authorize(`Basic ${btoa("a:%")}`),
  "client.one_method": token({ client_secret: "s" }, as("no-code")),
  "client.same_id": token({ client_id: "demo-spa" }, as("no-code")),
  "client.assertion_type": token({ client_assertion: "a" }),
  "client.assertion_subject": token({ ...assertion, client_assertion: "a", client_id: undefined }),
  "client.secret_has_id": token({ client_secret: "s", client_id: undefined }),
  "client.named": token({ client_id: undefined }),
  "client.no_secret": token({ client_secret: "guess" }),
  "client.authenticated": token({ client_id: "no-code", client_secret: "wrong" }),
};

/** Ways to authenticate that succeed. */
export const clientSuccesses: BrokenRules = {
  "client_secret_basic": token({ scope: "read" }, as("no-code")),
  "client_secret_post": token({ client_id: "no-code", client_secret: "s", scope: "read" }),
  "private_key_jwt": async (kit) => {
    const claims = { iss: "demo-jwt", sub: "demo-jwt", aud: kit.issuer, jti: "a" };
    const exp = kit.clock.now / 1000 + 60;
    const client_assertion = await signed({ ...claims, exp });
    return await token({ ...assertion, client_assertion, client_id: undefined })(kit);
  },
};
