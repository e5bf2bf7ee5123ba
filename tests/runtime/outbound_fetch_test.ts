import { assert, assertEquals, assertMatch } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { messagesOf } from "../../src/server/util/text/error_message.ts";
import { authority, cert, key } from "../support/certificate.ts";
import { inFolder } from "../support/folder.ts";
import { challenge, encode, openKit } from "../support/kit.ts";
import { serveDocument } from "../support/listen.ts";
import { startProgram } from "../support/program.ts";
import { needs } from "../support/where_feature.ts";

/** Returns how a lab with an environment responds to a request of that client, and its output. */
async function pushTo(
  env: Record<string, string>,
  client_id: string,
): Promise<{ status: number; output: string }> {
  const lab = await startProgram(["lab", "--port", "0"], env);
  const request = {
    client_id,
    response_type: "code",
    redirect_uri: "http://127.0.0.1:4711/cb",
    code_challenge: challenge,
    code_challenge_method: "S256",
  };
  const response = await fetch(`${lab.issuer}/oauth2/par`, {
    method: "POST",
    body: encode(request),
  });
  await response.arrayBuffer();
  await lab.stop();
  return { status: response.status, output: lab.output() };
}

describe("A lab on a machine with its own certificate authority", () => {
  it(
    "trusts the authorities of NODE_EXTRA_CA_CERTS, with the permissions of the task",
    needs("documents"),
    async () => {
      await inFolder(async (folder) => {
        const NODE_EXTRA_CA_CERTS = join(folder, "ca.pem");
        await writeFile(NODE_EXTRA_CA_CERTS, authority);
        await using app = await serveDocument({ cert, key });
        const { status, output } = await pushTo({ NODE_EXTRA_CA_CERTS }, app.clientId);
        assertEquals(status, 201, output);
      });
    },
  );

  it("trusts no other authority, and logs why a fetch failed", needs("documents"), async () => {
    await using app = await serveDocument({ cert, key });
    const { status, output } = await pushTo({ NODE_EXTRA_CA_CERTS: "" }, app.clientId);
    assertEquals(status, 401, output);
    assertMatch(
      output,
      /outbound\.failed .*reason="the request failed: UNABLE_TO_VERIFY_LEAF_SIGNATURE.*certificate/,
    );
  });
});

describe("The reason why a fetch failed", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), {
    code: "ECONNREFUSED",
  });
  const cases: Array<[cause: unknown, messages: string]> = [
    [new Error("closed"), "closed"],
    ["thrown", "thrown"],
    [
      new Error("fetch failed", { cause: refused }),
      "fetch failed: connect ECONNREFUSED 127.0.0.1:1",
    ],
    [Object.assign(new Error("no route"), { code: "EHOSTUNREACH" }), "EHOSTUNREACH no route"],
    [Object.assign(new AggregateError([refused]), { code: "ECONNREFUSED" }), "ECONNREFUSED"],
    [new Error("twice", { cause: new Error("twice") }), "twice"],
    [
      new Error("error sending request for url (https://a.example/x?secret=1#y)"),
      "error sending request for url (https://a.example/x)",
    ],
  ];
  for (const [cause, messages] of cases) {
    it(`is ${JSON.stringify(messages)}`, () => assertEquals(messagesOf(cause), messages));
  }

  it("is finite even if the causes form a cycle", () => {
    const one: Error = new Error("one");
    one.cause = new Error("two", { cause: one });
    assertEquals(messagesOf(one), "one: two");
  });

  it("is part of the event, without a stack", needs("documents"), async () => {
    const fetchUntrusted = () => Promise.reject(new TypeError("fetch failed", { cause: refused }));
    const kit = openKit({ fetchUntrusted });
    await kit.get(
      kit.authorizationUrl({ client_id: "https://app.example/client.json" }).slice(
        kit.issuer.length,
      ),
    );
    const event = kit.events.find(({ type }) => type === "outbound.failed");
    assert(event?.type === "outbound.failed");
    assertEquals(
      event.reason,
      "the request failed: fetch failed: connect ECONNREFUSED 127.0.0.1:1",
    );
  });
});
