import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import { itWith } from "../support/it_with.ts";
import { openLabKit, openStrictKit, read, spa } from "../support/kit.ts";
import { present } from "../support/present.ts";

const it = itWith({ withKit: () => openLabKit() });

const secret = "a-value-that-only-the-request-has";
const channels: Partial<LabConfig> = {
  frontChannelUrl: "https://front.test",
  backChannelUrl: "https://back.test",
  redirectUris: ["https://hallpass.test/authorized"],
};

/** Sends a token request that is refused. */
function refusedToken(kit: ReturnType<typeof openLabKit>, changes = {}) {
  return kit.redeem(secret, { state: secret, ...changes });
}

describe("The error_uri of a lab (RFC 6749, sections 4.1.2.1 and 5.2)", () => {
  it.withKit("leads to the step on the page of the flow", async (kit) => {
    const code = await kit.code();
    const { body } = await kit.redeem(code, { code_verifier: "w".repeat(43) });
    await kit.redeem(code);
    const headers = { Accept: "text/html" };
    const page = await kit.server.fetch(new Request(body.error_uri, { headers }));
    const html = await page.text();
    assertStringIncludes(html, "The code_verifier must match the code_challenge");
    assertMatch(html, /<h1>[^]*flow-1/i);
  });

  it("uses the address of the side that reads it", async () => {
    const kit = openLabKit(channels);
    const { body } = await refusedToken(kit);
    assert(body.error_uri.startsWith("https://back.test/lab/flows/"), body.error_uri);
    const redirected = await kit.authorize({ scope: "everything" });
    assertMatch(present(redirected.get("error_uri")), /^https:\/\/front\.test\/lab\/flows\//);
  });

  it("holds an id and nothing that was sent, and is the same under a seed", async () => {
    const uris = [];
    for (const pages of [[], ["/health", "/"]]) {
      const kit = openLabKit({ seed: "one" });
      await kit.code();
      for (const path of pages) await kit.get(path);
      uris.push((await refusedToken(kit)).body.error_uri);
    }
    assertEquals(uris[0], uris[1]);
    assertMatch(present(uris[0]), /^https:\/\/hallpass\.test\/lab\/flows\/at-\d+$/);
  });

  it("is in the link of the error page, too", async () => {
    const kit = openLabKit({ errorsAfterSignIn: true });
    const page = await kit.browser().open(kit.authorizationUrl({ scope: "everything" }));
    assertStringIncludes(page.html, "error_uri=https%3A%2F%2Fhallpass.test%2Flab%2Fflows%2Fat-");
  });

  it("is left out with errorUri: false, and never sent by a server", async () => {
    const url = (kit: { authorizationUrl: ReturnType<typeof openLabKit>["authorizationUrl"] }) =>
      kit.authorizationUrl({ scope: "everything" });
    const quiet = openLabKit({ errorUri: false });
    const strict = openStrictKit({ clients: [spa()] });
    for (const kit of [quiet, strict]) {
      const { body, headers } = await kit.token({ client_id: "who", client_secret: "a" });
      assertEquals([body.error, body.error_uri], ["invalid_client", undefined]);
      assertEquals(
        headers.get("WWW-Authenticate"),
        'Basic realm="https://hallpass.test", charset="UTF-8"',
      );
      assert(!(await kit.browser().open(url(kit))).url.includes("error_uri"));
    }
  });
});

describe("The challenge of a 401 in a lab", () => {
  it("explains the error as the body does, in ASCII, quoted, and without the secret", async () => {
    const kit = openLabKit();
    const { status, headers, body } = await kit.token({
      client_id: "demo-web",
      client_secret: secret,
    });
    const challenge = present(headers.get("WWW-Authenticate"));
    assertEquals(status, 401);
    assertMatch(
      challenge,
      /^Basic realm="[^"]+", charset="UTF-8", error="invalid_client", error_description="[ -~]+ Received: client_secret_post, wrong secret of 33 characters\.[^"]* Send the secret of this client[^"]+ See [^"]+", error_uri="https:\/\/hallpass\.test\/lab\/flows\/at-\d+"$/,
    );
    assertStringIncludes(body.error_description, "wrong secret of 33 characters");
    assert(!challenge.includes(secret));
  });

  it.withKit("has the advice for an access token, and nothing where no token came (RFC 6750, section 3.1)", async (kit) => {
    const used = await kit.userinfo(secret);
    const challenge = present(used.headers.get("WWW-Authenticate"));
    assertMatch(
      challenge,
      /^Bearer [^]*Send an access token as it was issued[^]*error_uri="https:/,
    );
    assert(!challenge.includes(secret));
    const none = await read(await kit.get("/oauth2/userinfo"));
    assert(!present(none.headers.get("WWW-Authenticate")).includes("error"));
  });

  it("explains a token that expired as the report does, with the advice for it", async () => {
    const kit = openLabKit();
    const { access_token } = await kit.tokens();
    kit.clock.advance(2 * 60 * 60);
    const challenge = (await kit.userinfo(access_token)).headers.get("WWW-Authenticate");
    assertMatch(
      present(challenge),
      /Received: one that expired 1 hour ago\.[^"]* Refresh the access/,
    );
  });

  it.withKit("advises by what the token is, not by the words of its issuer", async (kit) => {
    const claims = btoa(JSON.stringify({ iss: "https://expired.example" })).replaceAll("=", "");
    const { headers } = await kit.userinfo(`e30.${claims}.e30`);
    const challenge = headers.get("WWW-Authenticate");
    assertMatch(present(challenge), /a JWT of the issuer 'https:\/\/expired\.example'/);
    assert(!present(challenge).includes("Refresh the access token"), present(challenge));
  });

  it.withKit("cuts off what is too long for a header", async (kit) => {
    const claims = btoa(JSON.stringify({ iss: "a".repeat(3000) })).replaceAll("=", "");
    const { headers } = await kit.userinfo(`e30.${claims}.e30`);
    const challenge = present(headers.get("WWW-Authenticate"));
    assertStringIncludes(challenge, "Received: a JWT of the issuer 'aaa");
    assert(challenge.length < 1500, String(challenge.length));
  });
});
