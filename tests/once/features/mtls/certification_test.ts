import { assertEquals, assertStringIncludes } from "@std/assert";
import { importJWK, SignJWT } from "jose";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { request, type RequestOptions } from "node:https";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import type { ClientConfig, Config } from "../../../../src/server/features.ts";
import { certificationBlocks } from "../../../support/certification.ts";
import { answerCiba } from "../../../support/ciba.ts";
import { assertionClaims, assertionType, seconds } from "../../../support/client_key.ts";
import { runCommandLine } from "../../../support/command_line.ts";
import { type Kit, openStrictKit, read } from "../../../support/kit.ts";
import { present } from "../../../support/present.ts";

const [makeKeys = ""] = certificationBlocks("sh");
const [configuration = "", suite = "", api = ""] = certificationBlocks("js");
const skip = spawnSync("openssl", ["version"]).status === 0 ? false : "this machine has no openssl";

const ciba = "fapi-ciba-id1-test-plan";
const security = "fapi2-security-profile-final-test-plan";
const signing = "fapi2-message-signing-final-test-plan";

interface Variant {
  plan: string;
  authentication: string;
  boundTo: string;
  mode: string;
}

const authentications = ["private_key_jwt", "self_signed_tls_client_auth"];
const variants = [
  ...[security, signing].flatMap((plan) =>
    ["dpop", "mtls"].map((boundTo) => ({ plan, boundTo, mode: "poll" }))
  ),
  ...["poll", "ping"].map((mode) => ({ plan: ciba, boundTo: "mtls", mode })),
].flatMap((variant) => authentications.map((authentication) => ({ ...variant, authentication })));

/** Returns the configuration with what a person would write into its first lines. */
function configurationFor(variant: Variant): string {
  return Object.entries(variant).reduce(
    (text, [name, value]) => text.replace(new RegExp(`(const ${name} = )"[^"]*"`), `$1"${value}"`),
    configuration,
  );
}

/** A folder with keys, and what the suite is configured with; the tests share it. */
const folder = await mkdtemp(join(tmpdir(), "hallpass-certification-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
const parties = skip ? undefined : await makeParties();

async function makeParties(): Promise<{ client: Party }> {
  execFileSync("sh", ["-c", makeKeys], { cwd: folder, stdio: "ignore" });
  const file = join(folder, "suite.mjs");
  await writeFile(file, suite);
  return JSON.parse(execFileSync(process.execPath, ["run", "--allow-read", file]).toString());
}

describe("The page about certification, with keys", () => {
  for (const [at, variant] of variants.entries()) {
    it(`starts a server at which the suite's client can begin: ${Object.values(variant).join()}`, {
      skip,
    }, async () => {
      const file = join(folder, `certification_${at}.mjs`);
      await writeFile(file, configurationFor(variant));
      const tls = ["--mtls-port", "9443", "--mtls-cert", join(folder, "api.crt")];
      const options = ["--config", file, ...tls, "--mtls-key", join(folder, "api.key")];
      const { code, output } = await runCommandLine(["check", ...options]);
      assertEquals(code, 0, output);
      const { default: config } = await import(pathToFileURL(file).href);
      const kit = await openServer(config);
      const certificate = new X509Certificate(await readFile(join(folder, "first.crt")));
      kit.certificates = [certificate.raw];
      await begin(kit, config, present(parties).client);
    });
  }

  it(
    "has an API that takes bound tokens alone, and returns the id of a request",
    { skip },
    async () => {
      await using lab = await hallpass({ mtls: {} });
      using _ = lab.intercept();
      const server = await startApi(lab.issuer);
      const [cert, key] = await Promise.all(
        ["first.crt", "first.key"].map((name) => readFile(join(folder, name))),
      );
      const { raw } = new X509Certificate(present(cert));
      const thumbprint = createHash("sha256").update(raw).digest("base64url");
      const audience = "https://api.example.org:9444/";
      const bound = { sub: "alice", audience, claims: { cnf: { "x5t#S256": thumbprint } } };
      const { token } = await lab.mint(bound);
      const id = crypto.randomUUID();
      const call = async (certificate: RequestOptions) => {
        const headers = { Authorization: `Bearer ${token}`, "x-fapi-interaction-id": id };
        const target = { port: server.port, rejectUnauthorized: false, agent: false, headers };
        const [response] = await once(request({ ...target, ...certificate }).end(), "response");
        response.resume();
        return [response.statusCode, response.headers["x-fapi-interaction-id"]];
      };
      assertEquals(await call({ cert, key }), [200, id]);
      assertEquals(await call({}), [401, undefined]);
      await server.close();
    },
  );
});

/** Starts the API on a free port, from the sources of the package, with the tokens of an issuer. */
async function startApi(issuer: string): Promise<{ port: number; close(): Promise<unknown> }> {
  const changes: Record<string, string> = {
    '"hallpass/resource"': sourceOf("src/resource/protected_resource.ts"),
    '"hallpass/serve"': sourceOf("src/runtime/serve.ts"),
    '"https://id.example.org"': JSON.stringify(issuer),
    "port: 9444": "port: 0",
    "await serve(": "export default await serve(",
  };
  const text = Object.entries(changes).reduce((text, [from, to]) => {
    assertStringIncludes(text, from);
    return text.replace(from, to);
  }, api);
  const file = join(folder, "api.mjs");
  await writeFile(file, text);
  return (await import(pathToFileURL(file).href)).default;
}

function sourceOf(path: string): string {
  return JSON.stringify(pathToFileURL(resolve(path)).href);
}

interface Party {
  client_id: string;
  jwks: { keys: Array<Record<string, string>> };
}

async function openServer({ trustedProxies: _, ...config }: Config): Promise<Kit> {
  const kit = openStrictKit({
    ...config,
    fetch: () => Promise.resolve(new Response(null, { status: 204 })),
  });
  // The certificates are valid from now on.
  kit.clock.now = Date.now();
  await kit.server.ready();
  return kit;
}

/** Begins as the suite does: with a pushed request, or with one over the back channel. */
async function begin(kit: Kit, { issuer = "", ...config }: Config, client: Party): Promise<void> {
  const [own] = config.clients as ClientConfig[];
  const { client_id, jwks: { keys: [jwk] } } = client;
  assertEquals(present(own).id, client_id);
  const key = await importJWK(present(jwk), "PS256");
  const sign = (claims: object) =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg: "PS256", kid: client_id }).sign(key);
  const isCiba = config.profile === undefined;
  const usesKeys = present(own).authentication?.includes("private_key_jwt");
  const path = isCiba ? "/oauth2/backchannel_authentication" : "/oauth2/par";
  const aud = isCiba ? issuer + path : issuer;
  const assertion = usesKeys && {
    client_assertion_type: assertionType,
    client_assertion: await sign({ ...assertionClaims(kit, client_id), aud }),
  };
  const [redirect_uri] = present(own).redirectUris ?? [];
  const { state: _, ...parameters } = kit.parameters({ client_id, redirect_uri, scope: "openid" });
  const asked = isCiba
    ? {
      scope: "openid profile",
      login_hint: "alice",
      client_notification_token: "0123456789-0123456789-0123456789",
    }
    : parameters;
  const now = seconds(kit);
  const times = { iat: now, nbf: now, exp: now + 300, jti: crypto.randomUUID() };
  const signed = await sign({ ...asked, iss: client_id, aud: issuer, ...times });
  const form = {
    client_id,
    ...assertion,
    ...present(own).requireSignedRequest || isCiba ? { request: signed } : asked,
  };
  const response = await read(await kit.post(path, form));
  assertEquals([response.status, response.body.error_description], [isCiba ? 200 : 201, undefined]);
  if (!isCiba) return;
  await answerCiba(kit, { user: "alice", password: "correct horse battery staple" });
  await kit.server.context.background.idle();
}
