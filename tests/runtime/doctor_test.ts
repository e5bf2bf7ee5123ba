import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { advise } from "../../src/cli/doctor/advice.ts";
import { type Deployment, diagnoseDeployment } from "../../src/cli/doctor/deployment.ts";
import { diagnose, difference } from "../../src/cli/doctor/diagnose.ts";
import { explainFailure } from "../../src/cli/doctor/explain_failure.ts";
import { probe, type ProbeNetwork } from "../../src/cli/doctor/probe.ts";
import { addressesOf } from "../../src/config/addresses.ts";
import type { Config } from "../../src/config/config.ts";
import { openKit } from "../support/kit.ts";
import { runProgram, startProgram } from "../support/program.ts";

const inside = "http://hallpass:9000";
const outside = "http://localhost:9000";

function placeOf(
  addresses: Pick<Config, "issuer" | "frontChannelUrl" | "backChannelUrl">,
  changes: Partial<Deployment> = {},
): Deployment {
  return {
    ...addressesOf(addresses),
    listens: { host: "localhost", port: 9000 },
    inContainer: false,
    ...changes,
  };
}

/** A network in which some names lead to a lab. */
function waysTo(names: readonly string[], config: Config): ProbeNetwork {
  const { server } = openKit(config);
  return {
    fetch: (url, init) => server.fetch(new Request(url, init)),
    resolve: async (name) =>
      names.includes(name) ? ["10.0.0.7"] : Promise.reject(new Error("getaddrinfo ENOTFOUND")),
  };
}

/** What the doctor says of an address that a client takes for the issuer. */
async function saidOf(
  address: string,
  ways: ProbeNetwork,
  deployment?: Deployment,
): Promise<Array<[level: string, message: string]>> {
  const probed = { address, expected: deployment?.issuer ?? address, deployment };
  return diagnose(await probe(address, ways), probed, true).map((
    { level, message },
  ) => [level, message]);
}

function answering(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): ProbeNetwork {
  return {
    fetch: async () => new Response(body, { status, headers }),
    resolve: async () => ["127.0.0.1"],
  };
}

describe("What the doctor meets at an address", () => {
  it("is in order where the server names the issuer that is expected", async () => {
    const addresses = { issuer: inside, frontChannelUrl: outside };
    const said = await saidOf(inside, waysTo(["hallpass"], addresses), placeOf(addresses));
    assertEquals(said, [["ok", `${inside} (10.0.0.7) responds and names the issuer ${inside}.`]]);
  });

  it("is a problem where it names another one, be it by a slash", async () => {
    for (
      const [issuer, asked, how] of [[`${outside}/`, outside, /trailing slash/], [
        inside,
        outside,
        /in host/,
      ]] as const
    ) {
      const [[level, says]] = await saidOf(asked, waysTo(["localhost"], { issuer }));
      assertEquals(level, "problem");
      assertMatch(says, how);
      assertMatch(says, /character by character/);
    }
  });

  it("is a problem where the server was started with another configuration", async () => {
    const ways = waysTo(["hallpass"], { issuer: inside });
    const said = await saidOf(inside, ways, placeOf({ issuer: inside, frontChannelUrl: outside }));
    assertEquals(said.map(([level]) => level), ["ok", "problem"]);
    assertMatch(
      said[1][1],
      /sends browsers to http:\/\/hallpass:9000, but http:\/\/localhost:9000 is configured/,
    );
  });

  it("is no more than a note for a name that only others know, unless nothing answers at all", async () => {
    const seen = await probe(inside, waysTo(["localhost"], { issuer: inside }));
    const levelWhere = (someAnswer: boolean) =>
      diagnose(seen, { address: inside, expected: inside }, someAnswer)[0].level;
    assertEquals([seen.kind, levelWhere(true), levelWhere(false)], [
      "unresolved",
      "note",
      "problem",
    ]);
  });

  const strange: Array<[what: string, ways: ProbeNetwork, says: RegExp]> = [
    [
      "redirects",
      answering(302, "", { Location: "https://else.example/" }),
      /redirects to https:\/\/else\.example/,
    ],
    ["knows no metadata", answering(404, "no"), /status 404/],
    ["answers with a page", answering(200, "<html>"), /not a JSON object/],
    ["answers with a list that is no object", answering(200, "null"), /not a JSON object/],
  ];
  for (const [what, ways, says] of strange) {
    it(`is told where a server ${what}`, async () => {
      const [[level, sentence]] = await saidOf(outside, ways);
      assertEquals(level, "problem");
      assertMatch(sentence, says);
    });
  }

  const escape = "\u001b[2J\u009b1m\u202e";
  const hostile: Array<[what: string, ways: ProbeNetwork]> = [
    ["its issuer", answering(200, JSON.stringify({ issuer: `${escape}\nok  all is well` }))],
    ["an issuer that is no text", answering(200, JSON.stringify({ issuer: { toString: escape } }))],
    [
      "an endpoint",
      answering(
        200,
        JSON.stringify({ issuer: outside, token_endpoint: { toString: `http://${escape}` } }),
      ),
    ],
    ["a redirect", answering(302, "", { Location: "https://else.example/\u009b1m" })],
    ["a failure", {
      fetch: () => Promise.reject(new Error(escape)),
      resolve: async () => ["127.0.0.1"],
    }],
  ];
  for (const [what, ways] of hostile) {
    it(`L4: reaches the terminal escaped, line breaks included, where ${what} holds escape sequences`, async () => {
      const said = await saidOf(outside, ways, placeOf({ issuer: outside }));
      assert(said.some(([level]) => level === "problem"));
      assert(!/[\p{Cc}\u202e]/u.test(said.flat().join(" ")), JSON.stringify(said));
    });
  }

  it("is told where a server cannot do its work", async () => {
    const { server } = openKit({ issuer: outside });
    const sick: ProbeNetwork = {
      fetch: async (url, init) =>
        url.endsWith("/health")
          ? new Response(null, { status: 503 })
          : await server.fetch(new Request(url, init)),
      resolve: async () => ["127.0.0.1"],
    };
    assertEquals((await saidOf(outside, sick)).map(([level]) => level), ["ok", "problem"]);
  });

  it("is looked for below the path of the issuer", async () => {
    const issuer = `${outside}/realms/acme`;
    assertEquals((await saidOf(issuer, waysTo(["localhost"], { issuer })))[0][0], "ok");
  });
});

describe("What the doctor says without asking", () => {
  const cases: Array<[what: string, place: Deployment, levels: string[]]> = [
    ["everything on one machine", placeOf({ issuer: outside }), ["note", "note"]],
    ["everything in one container", placeOf({ issuer: outside }, { inContainer: true }), [
      "note",
      "note",
    ]],
    [
      "a container that only itself gets through to",
      placeOf({ issuer: inside, frontChannelUrl: outside }, { inContainer: true }),
      [
        "problem",
      ],
    ],
    ["an http name of which the listener knows nothing", placeOf({ issuer: inside }), ["problem"]],
    ["a proxy before a program on loopback", placeOf({ issuer: "https://id.example" }), ["note"]],
    [
      "what works",
      placeOf({ issuer: inside, frontChannelUrl: outside }, {
        listens: { host: "0.0.0.0", port: 9000 },
      }),
      ["ok"],
    ],
    [
      "an issuer on loopback that others get through to",
      placeOf({ issuer: outside }, { listens: { host: "0.0.0.0", port: 9000 } }),
      [
        "ok",
        "note",
      ],
    ],
  ];
  for (const [what, deployment, levels] of cases) {
    it(`about ${what}: ${levels.join(", ")}`, () => {
      assertEquals(diagnoseDeployment(deployment).map(({ level }) => level), levels);
    });
  }
});

describe("A failure, in plain words", () => {
  /** As Node, Bun and Deno tell it. */
  const failures: Array<[said: unknown, means: RegExp]> = [
    [
      caused({ message: "connect ECONNREFUSED 127.0.0.1:1", code: "ECONNREFUSED" }),
      /nothing is listening/,
    ],
    [
      caused({
        message: "client error (Connect): tcp connect error: Connection refused (os error 111)",
      }),
      /nothing is listening/,
    ],
    [
      new DOMException("The operation was aborted due to timeout", "TimeoutError"),
      /did not respond in time/,
    ],
    [
      caused({
        message: "unable to verify the first certificate",
        code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      }),
      /not signed by an authority/,
    ],
    [caused({ message: "invalid peer certificate: UnknownIssuer" }), /not signed by an authority/],
    [
      Object.assign(new TypeError("self signed certificate"), {
        code: "DEPTH_ZERO_SELF_SIGNED_CERT",
      }),
      /not signed by an authority/,
    ],
    [caused({ message: "certificate has expired", code: "CERT_HAS_EXPIRED" }), /not valid today/],
    [
      caused({ message: 'invalid peer certificate: certificate not valid for name "localhost"' }),
      /for another name/,
    ],
    [
      caused({
        message: "Host: localhost. is not in the cert's altnames",
        code: "ERR_TLS_CERT_ALTNAME_INVALID",
      }),
      /for another name/,
    ],
    [
      caused({ message: "received corrupt message of type InvalidContentType" }),
      /does not speak https/,
    ],
    [
      Object.assign(new TypeError("EPROTO: The TLS handshake failed."), { code: "EPROTO" }),
      /does not speak https/,
    ],
    [caused({ message: "other side closed", code: "UND_ERR_SOCKET" }), /may expect https/],
    [caused({ message: "connection closed before message completed" }), /may expect https/],
    ["what nobody foresaw", /^what nobody foresaw$/],
  ];
  for (const [said, means] of failures) {
    it(`means: ${means.source}`, () => {
      assertMatch(explainFailure(said), means);
    });
  }
});

describe("The difference between two issuers", () => {
  const pairs: Array<[one: string, other: string, says: string]> = [
    [outside, `${outside}/`, "they differ in the trailing slash"],
    ["https://id.example", "http://id.example:9000", "they differ in scheme and port"],
    ["https://id.example/a", "https://id.example/b", "they differ in path"],
    ["https://id.example", "https://ID.example", "they are spelled differently"],
    ["https://id.example", "undefined", "one of them is not a URL"],
  ];
  for (const [one, other, says] of pairs) {
    it(`'${one}' and '${other}': ${says}`, () => {
      assertEquals(difference(one, other), says);
    });
  }
});

describe("hallpass doctor", () => {
  it("is content with a lab on this machine, and tells what would work with containers", async () => {
    const lab = await startProgram(["lab", "--port", "0"]);
    const { port } = new URL(lab.issuer);
    const { code, output } = await runProgram(["doctor", "--port", port]);
    await lab.stop();
    assertEquals(code, 0, output);
    assertMatch(
      output,
      new RegExp(`^ok +http://localhost:${port} \\(.+\\) responds and names the issuer`, "m"),
    );
    assert(output.includes(advise(lab.issuer, Number(port))), output);
  });

  it("fails where a client would have to refuse, and where nothing answers", async () => {
    const lab = await startProgram(["lab", "--port", "0"]);
    const { port } = new URL(lab.issuer);
    const other = await runProgram([
      "doctor",
      "--url",
      `http://127.0.0.1:${port}`,
      "--url",
      `${lab.issuer}/.well-known/openid-configuration`,
    ]);
    await lab.stop();
    assertEquals(other.code, 1);
    assertMatch(
      other.output,
      /^problem +http:\/\/127\.0\.0\.1.*they differ in host.*\nok +http:\/\/localhost/m,
    );
    const nobody = await runProgram(["doctor", "--port", port]);
    assertEquals(nobody.code, 1);
    assertMatch(nobody.output, /did not respond: nothing is listening on that port/);
  });

  it("refuses addresses that no server can have", async () => {
    const { code, output } = await runProgram([
      "doctor",
      "--issuer",
      "http://localhost:9000/a",
      "--back-channel",
      "http://hallpass:9000/b",
    ]);
    assertEquals(code, 2);
    assertMatch(output, /backChannelUrl must have the path of the issuer, '\/a'; it has '\/b'/);
  });

  it("prints a configuration that works: the lab that it describes is found by both sides", async () => {
    const first = await startProgram(["lab", "--port", "0"]);
    await first.stop();
    const port = Number(new URL(first.issuer).port);
    const lines = advise(first.issuer, port).matchAll(/^ {6}(HALLPASS_\w+): (?:"([^"]+)"|(\S+))/gm);
    const env = Object.fromEntries(
      [...lines].map(([, name, quoted, plain]) => [name, quoted ?? plain]),
    );
    assertEquals(Object.keys(env).length, 5);
    const lab = await startProgram(["lab"], {
      ...env,
      HALLPASS_LAB_TOKEN: "a-token-of-32-letters-and-digits",
      HALLPASS_EXPOSE: "yes",
    });
    const metadata =
      await (await fetch(`http://localhost:${port}/.well-known/openid-configuration`)).json();
    await lab.stop();
    assertEquals(metadata.issuer, `http://hallpass:${port}`);
    assertEquals(metadata.authorization_endpoint, `http://localhost:${port}/oauth2/authorize`);
    assertEquals(metadata.token_endpoint, `http://hallpass:${port}/oauth2/token`);
    assert(!/warning: The server listens/.test(lab.output()), lab.output());
  });
});

describe("hallpass lab, open to others", () => {
  it("warns where they would be sent to themselves", async () => {
    const lab = await startProgram([
      "lab",
      "--port",
      "0",
      "--expose",
      "--lab-token",
      "a-token-of-32-letters-and-digits",
    ]);
    await lab.stop();
    assertMatch(
      lab.output(),
      /warning: The server listens on 0\.0\.0\.0, but sends applications to http:\/\/localhost:\d+.*hallpass doctor/,
    );
  });
});

function caused(members: { message: string; code?: string }): Error {
  return new TypeError("fetch failed", {
    cause: Object.assign(new Error(members.message), members),
  });
}
