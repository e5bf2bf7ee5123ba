import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { openLab } from "../../../src/lab/open_lab.ts";
import { redact } from "../../../src/lab/recording/redact.ts";
import { redactText } from "../../../src/lab/recording/redact_text.ts";
import { ruleCatalogue } from "../../../src/lab/util/rule_catalogue.ts";
import { featureParts } from "../../../src/server/feature_parts.ts";
import { features } from "../../../src/server/features.ts";
import { featureFixtures } from "../../features.ts";
import { present } from "../../support/present.ts";

const issuer = "http://localhost:9000";
const secret = "S3cretV4lue";
const formType = "application/x-www-form-urlencoded";

interface Sent {
  headers?: Record<string, string>;
  body?: string;
  query?: string;
}

/** Sends a request to a lab, and returns all that is shown of it. */
async function shown({ headers, body, query = "" }: Sent): Promise<string> {
  const lab = openLab({ issuer });
  const init = { method: "POST", ...headers && { headers }, ...body !== undefined && { body } };
  await lab.fetch(new Request(`${issuer}/oauth2/token${query}`, init));
  const { request } = redact(present(lab.exchanges()[0]));
  return JSON.stringify({
    ...request,
    query: [...request.query],
    form: [...request.form],
    listed: lab.requests(),
  });
}

function form(body: string): Sent {
  return { headers: { "content-type": formType }, body };
}

function json(body: string): Sent {
  return { headers: { "content-type": "application/json" }, body };
}

function nested(url: string, times: number): string {
  return times === 0 ? url : encodeURIComponent(nested(url, times - 1));
}

function unsignedJwt(claims: object): string {
  return `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims)).replaceAll("=", "")}.`;
}

const hidden: Readonly<Record<string, Sent>> = {
  "the passwords of a changed password": form(
    `current_password=${secret}&new_password=${secret}&repeated_password=${secret}`,
  ),
  "a password with a space": form(`password=correct ${secret}`),
  "a secret with #": form(`client_secret=ab#${secret}&x=1`),
  "a secret on a line after &": form(`client_id=a&\nclient_secret=${secret}`),
  "JSON after a space": json(` {"client_secret":"${secret}"}`),
  "JSON in a list": json(`[{"client_secret":"${secret}"}]`),
  "a list in JSON": json(`{"password":["${secret}"]}`),
  "JSON in a list in JSON": json(`{"clients":[{"token":["a"],"client_secret":"${secret}"}]}`),
  "an escaped name in JSON": json(`{"client\\u005fsecret":"${secret}"}`),
  "JSON that says that it is a form": form(`{"client_secret":"ab=&${secret}"}`),
  "a form of several parts": {
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body:
      `--b\r\nContent-Disposition: form-data; name="client_secret"\r\n\r\n${secret}\r\n--b--\r\n`,
  },
  "a name in another spelling": form(`Client_Secret=${secret}&clientSecret=${secret}`),
  "a name with brackets": form(`client_secret[]=${secret}`),
  "a logout token": form(`logout_token=${secret}`),
  "a URL in a URL in a URL": form(`x=${nested(`http://a/cb?code=${secret}`, 3)}`),
  "a query without its URL": { query: `?x=${encodeURIComponent(`code=${secret}`)}` },
  "JSON in a parameter": { query: `?x=${encodeURIComponent(`{"access_token":"${secret}"}`)}` },
  "the header of a proxy": { headers: { "proxy-authorization": `Basic ${secret}` } },
  "a header with a key": { headers: { "x-api-key": secret } },
  "a header without a scheme": { headers: { authorization: `${secret} more` } },
};

describe("What a lab shows of a request", () => {
  for (const [what, sent] of Object.entries(hidden)) {
    it(`hides ${what}`, async () => {
      const text = await shown(sent);
      assert(!text.includes(secret), text);
      assertStringIncludes(decodeURIComponent(text), "[redacted]");
    });
  }

  it("hides a signed request that has a secret among its claims, and no other", async () => {
    const hint = unsignedJwt({ id_token_hint: secret });
    const plain = unsignedJwt({ scope: "openid" });
    const text = await shown(form(`request=${hint}`));
    assert(!text.includes(hint.slice(0, -1)), text);
    assertStringIncludes(await shown(form(`request=${plain}`)), plain);
  });

  it("keeps what is no secret as it was sent", async () => {
    const url = "http://a/cb?a=1&b=%2F";
    const text = await shown(form(`redirect_uri=${encodeURIComponent(url)}&scope=a+b&state=x%20y`));
    assertStringIncludes(text, `redirect_uri=${encodeURIComponent(url)}&scope=a+b&state=x%20y`);
    assertStringIncludes(await shown(json('{"code": 7, "a": "b"}')), '{\\"code\\": 7');
  });

  it("keeps the mark that closes a quotation of a URL in a sentence", () => {
    const url = `https://app.example/?code=${secret}`;
    const hiddenUrl = "https://app.example/?code=[redacted]";
    for (const [open, close] of ["''", "“”", "()", "‘’"]) {
      assertEquals(
        redactText(`Received ${open}${url}${close}. Expected ${open}${url}${close}, or none.`),
        `Received ${open}${hiddenUrl}${close}. Expected ${open}${hiddenUrl}${close}, or none.`,
      );
    }
    assertEquals(redactText(`'${url}' and 'x'`), `'${hiddenUrl}' and 'x'`);
  });

  it("is found however deeply a client nests its parameters", async () => {
    const text = await shown({
      headers: { "content-type": "text/plain" },
      body: "a=?".repeat(9000),
    });
    assertStringIncludes(text, "a=");
  });
});

/** The parameters that rules are about: `"Host"` and others are headers. */
const parametersOfRules = ruleCatalogue.rules.flatMap(({ parameter = "", message = "" }) =>
  /^[a-z_]+$/.test(parameter) ? [{ parameter, message }] : []
);

describe("A parameter of a feature", () => {
  it("is redacted if the feature presents it, its flows send it, or its rules protect it", () => {
    const presented = features.flatMap((feature) => feature.presented ?? []);
    const isProtected = / is unknown, expired, revoked|was used before/;
    const names = new Set([
      ...presented.map(({ parameter }) => parameter),
      ...featureFixtures.flatMap(({ credentials = [] }) => credentials),
      ...parametersOfRules.filter(({ message }) => isProtected.test(message))
        .map(({ parameter }) => parameter),
    ]);
    const shownNames = [...names].filter((name) =>
      redactText(`?${name}=${secret}`).includes(secret)
    );
    assertEquals(shownNames, [], "Add them to 'presented' or 'secrets' in feature.ts.");
  });

  it("is known, so that messages name it", () => {
    // Messages name no members of JSON, and no token of our own pages.
    const others = ["form_token", "software_statement", "sector_identifier_uri"];
    const { parameters } = featureParts(features);
    const unknown = new Set(parametersOfRules.map(({ parameter }) => parameter));
    for (const name of [...parameters, ...others]) unknown.delete(name);
    assertEquals([...unknown], [], "Add them to 'parameters' in feature.ts.");
  });
});
