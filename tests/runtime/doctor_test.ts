import { assert, assertEquals, assertMatch } from "@std/assert";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import { diagnoseAddress, difference } from "../../src/program/doctor/diagnose_address.ts";
import { diagnoseSite, diagnoseStopped } from "../../src/program/doctor/diagnose_site.ts";
import { isListening, probe, type ProbeNetwork } from "../../src/program/doctor/probe.ts";
import { advise } from "../../src/program/doctor/run_doctor_command.ts";
import type { Site } from "../../src/program/operate/site.ts";
import type { Config } from "../../src/server/features.ts";
import { explainFailure } from "../../src/server/util/text/explain_failure.ts";
import { runCommandLine, startCommandLine } from "../support/command_line.ts";
import { openKit } from "../support/kit.ts";
import { listen } from "../support/listen.ts";
import { present } from "../support/present.ts";
import { runProgram, startProgram } from "../support/program.ts";
import { siteAt } from "../support/site.ts";

const inside = "http://hallpass:9000";
const outside = "http://localhost:9000";
const labToken = "a-token-of-32-letters-and-digits";

/** Creates a network in which some names lead to a lab. */
function networkWith(names: readonly string[], config: Config): ProbeNetwork {
  const { server } = openKit(config);
  return {
    fetch: (url, init) => server.fetch(new Request(url, init)),
    resolve: async (name) =>
      names.includes(name) ? ["10.0.0.7"] : Promise.reject(new Error("getaddrinfo ENOTFOUND")),
  };
}

/** Returns the findings about an address that a client uses as the issuer. */
async function findingsAt(
  address: string,
  network: ProbeNetwork,
  site?: Site,
): Promise<Array<[level: string, message: string]>> {
  const probed = { address, expected: site?.issuer ?? address, site };
  const findings = diagnoseAddress(await probe(address, network), probed, true);
  return findings.map(({ level, message }) => [level, message]);
}

/** Creates a network in which every request gets the same response. */
function respondingWith(status: number, body: unknown, headers: HeadersInit = {}): ProbeNetwork {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const fetch = async () => new Response(text, { status, headers });
  return { fetch, resolve: async () => ["127.0.0.1"] };
}

describe("The finding about an address", () => {
  it("is ok if the server names the expected issuer", async () => {
    const addresses = { issuer: inside, frontChannelUrl: outside };
    const network = networkWith(["hallpass"], addresses);
    const message = `${inside} (10.0.0.7) responds and names the issuer ${inside}.`;
    assertEquals(await findingsAt(inside, network, siteAt(addresses)), [["ok", message]]);
  });

  it("is a problem if the server names another issuer, even by a trailing slash", async () => {
    const issuers = [[`${outside}/`, /trailing slash/], [inside, /in host/]] as const;
    for (const [issuer, how] of issuers) {
      const findings = await findingsAt(outside, networkWith(["localhost"], { issuer }));
      const [level, says] = present(findings[0]);
      assertEquals(level, "problem");
      assertMatch(says, how);
      assertMatch(says, /character by character/);
    }
  });

  it("is a problem if the server was started with another configuration", async () => {
    const network = networkWith(["hallpass"], { issuer: inside });
    const site = siteAt({ issuer: inside, frontChannelUrl: outside });
    const findings = await findingsAt(inside, network, site);
    assertEquals(findings.map(([level]) => level), ["ok", "problem"]);
    assertMatch(
      present(findings[1])[1],
      /sends browsers to http:\/\/hallpass:9000, but http:\/\/localhost:9000 is configured/,
    );
  });

  it("is a note for a name that does not resolve here, or a problem if nothing responds at all", async () => {
    const seen = await probe(inside, networkWith(["localhost"], { issuer: inside }));
    const levelWhere = (someAnswer: boolean) =>
      diagnoseAddress(seen, { address: inside, expected: inside }, someAnswer)[0]?.level;
    const levels = [levelWhere(true), levelWhere(false)];
    assertEquals([seen.kind, ...levels], ["unresolved", "note", "problem"]);
  });

  const strange: Array<[what: string, network: ProbeNetwork, says: RegExp]> = [
    ["redirects", respondingWith(302, "", { Location: "https://a.example/" }), /to https:\/\/a\./],
    ["has no metadata", respondingWith(404, "no"), /status 404/],
    ["responds with a page", respondingWith(200, "<html>"), /not a JSON object/],
    ["responds with null", respondingWith(200, "null"), /not a JSON object/],
  ];
  for (const [what, network, says] of strange) {
    it(`is a problem if a server ${what}`, async () => {
      const [level, sentence] = present((await findingsAt(outside, network))[0]);
      assertEquals(level, "problem");
      assertMatch(sentence, says);
    });
  }

  const escape = "\u001b[2J\u009b1m\u202e";
  const hostile: Record<string, ProbeNetwork> = {
    "its issuer": respondingWith(200, { issuer: `${escape}\nok  all is well` }),
    "an issuer that is not a string": respondingWith(200, { issuer: { toString: escape } }),
    "an endpoint": respondingWith(200, {
      ...{ issuer: outside, token_endpoint: { toString: `http://${escape}` } },
    }),
    "a redirect": respondingWith(302, "", { Location: "https://else.example/\u009b1m" }),
    "a failure": {
      fetch: () => Promise.reject(new Error(escape)),
      resolve: async () => ["127.0.0.1"],
    },
  };
  for (const [what, network] of Object.entries(hostile)) {
    it(`L4: is escaped, line breaks included, if ${what} holds escape sequences`, async () => {
      const findings = await findingsAt(outside, network, siteAt({ issuer: outside }));
      assert(findings.some(([level]) => level === "problem"));
      assert(!/[\p{Cc}\u202e]/u.test(findings.flat().join(" ")), JSON.stringify(findings));
    });
  }

  it("is a problem if the server is unhealthy", async () => {
    const { server } = openKit({ issuer: outside });
    const sick: ProbeNetwork = {
      fetch: async (url, init) =>
        url.endsWith("/health")
          ? new Response(null, { status: 503 })
          : await server.fetch(new Request(url, init)),
      resolve: async () => ["127.0.0.1"],
    };
    assertEquals((await findingsAt(outside, sick)).map(([level]) => level), ["ok", "problem"]);
  });

  it("blames a proxy for an error of a gateway", async () => {
    const findings = await findingsAt(outside, respondingWith(502, "Bad Gateway"));
    assertMatch(findings.flat().join(" "), /a proxy responds with status 502, because it does not/);
  });

  it("takes the path of the issuer into account", async () => {
    const issuer = `${outside}/realms/acme`;
    const findings = await findingsAt(issuer, networkWith(["localhost"], { issuer }));
    assertEquals(findings[0]?.[0], "ok");
  });
});

describe("The findings without a request", () => {
  const everywhere = { host: "0.0.0.0" };
  const both = { issuer: inside, frontChannelUrl: outside };
  const here = { inContainer: true };
  const cases: Record<string, [place: Site, levels: string[]]> = {
    "everything on one machine": [siteAt({ issuer: outside }), ["note", "note"]],
    "everything in one container": [siteAt({ issuer: outside }, here), ["note", "note"]],
    "a container that only itself can reach": [siteAt(both, here), ["problem"]],
    "an http name where the listener is on loopback": [siteAt({ issuer: inside }), ["problem"]],
    "a proxy before a program on loopback": [siteAt({ issuer: "https://id.example" }), ["note"]],
    "a proxy in the same container, which is trusted": [
      siteAt({ issuer: "https://id.example" }, { ...here, trustedProxies: "loopback" }),
      ["note"],
    ],
    "a proxy of another container, which cannot reach loopback": [
      siteAt({ issuer: "https://id.example" }, { ...here, trustedProxies: ["172.30.94.1"] }),
      ["problem"],
    ],
    "a working configuration": [siteAt(both, everywhere), ["ok"]],
    "a loopback issuer that other machines can reach": [
      siteAt({ issuer: outside }, everywhere),
      ["ok", "note"],
    ],
  };
  for (const [what, [site, levels]] of Object.entries(cases)) {
    it(`about ${what}: ${levels.join(", ")}`, () => {
      assertEquals(diagnoseSite(site).map(({ level }) => level), levels);
    });
  }
});

describe("The findings about a site that requests have reached", () => {
  const issuer = "https://id.example";

  it("know that a proxy in the same container forwards them", () => {
    const site = siteAt({ issuer }, { inContainer: true });
    const levels = (reached: string[]) =>
      diagnoseSite(site, new Set(reached)).map(({ level }) => level);
    assertEquals([levels([]), levels([issuer])], [["problem"], ["ok"]]);
  });

  const cases: Array<[what: string, issuer: string, listens: boolean, problems: number]> = [
    ["a stopped server behind a proxy", issuer, false, 1],
    ["a running server that its proxy does not find", issuer, true, 0],
    ["a lab, which may be in another container", inside, false, 0],
  ];
  for (const [what, issuer, listens, problems] of cases) {
    it(`has ${problems} problem to say first about ${what}`, async () => {
      const found = await diagnoseStopped(siteAt({ issuer }), async () => listens);
      assertEquals(found.length, problems);
    });
  }

  it("see whether anything listens on a port", async () => {
    const { port, ...listening } = await listen(createServer());
    assertEquals(await isListening("127.0.0.1", port), true);
    await listening[Symbol.asyncDispose]();
    assertEquals(await isListening("127.0.0.1", port), false);
  });
});

describe("The explanation of a failure", () => {
  /** As Node, Bun and Deno report it. */
  const failures: Array<[cause: unknown, meaning: RegExp]> = [
    [caused("connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED"), /nothing is listening/],
    [
      caused("client error (Connect): tcp connect error: Connection refused (os error 111)"),
      /nothing is listening/,
    ],
    [new DOMException("aborted due to timeout", "TimeoutError"), /did not respond in time/],
    [
      caused("unable to verify the first certificate", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
      /not signed by an authority/,
    ],
    [caused("invalid peer certificate: UnknownIssuer"), /not signed by an authority/],
    [
      Object.assign(new TypeError("self signed"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }),
      /not signed by an authority/,
    ],
    [caused("certificate has expired", "CERT_HAS_EXPIRED"), /not valid today/],
    [
      caused('invalid peer certificate: certificate not valid for name "localhost"'),
      /for another name/,
    ],
    [
      caused("Host: localhost. is not in the cert's altnames", "ERR_TLS_CERT_ALTNAME_INVALID"),
      /for another name/,
    ],
    [caused("received corrupt message of type InvalidContentType"), /does not speak https/],
    [
      Object.assign(new TypeError("EPROTO: The TLS handshake failed."), { code: "EPROTO" }),
      /does not speak https/,
    ],
    [caused("other side closed", "UND_ERR_SOCKET"), /may expect https/],
    [caused("connection closed before message completed"), /may expect https/],
    [new TypeError("Requests to port 1 are blocked"), /^fetch refuses that port/],
    [
      caused("Unable to connect. Is the computer able to access the url?", "ConnectionRefused"),
      /nothing is listening/,
    ],
    ["an unknown failure", /^the request failed with "an unknown failure"$/],
  ];
  for (const [cause, meaning] of failures) {
    it(`matches ${meaning.source}`, () => {
      assertMatch(explainFailure(cause), meaning);
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
  it("finds no problem with a lab on this machine, and advises one for containers", async () => {
    await using lab = await startProgram(["lab", "--port", "0"]);
    const { port } = new URL(lab.issuer);
    const { code, output } = await runProgram(["doctor", "--port", port]);
    assertEquals(code, 0, output);
    const found = `^ok +http://localhost:${port} \\(.+\\) responds and names the issuer`;
    assertMatch(output, new RegExp(found, "m"));
    assert(output.includes(advise(lab.issuer, Number(port))), output);
  });

  it("fails if a client would have to reject the server, and if nothing responds", async () => {
    const lab = await startProgram(["lab", "--port", "0"]);
    const { port } = new URL(lab.issuer);
    const own = `${lab.issuer}/.well-known/openid-configuration`;
    const urls = ["--url", `http://127.0.0.1:${port}`, "--url", own];
    const other = await runProgram(["doctor", ...urls]);
    await lab.stop();
    assertEquals(other.code, 1);
    assertMatch(
      other.output,
      /^problem +http:\/\/127\.0\.0\.1.*they differ in host.*\nok +http:\/\/localhost/m,
    );
    const silent = await runProgram(["doctor", "--port", port]);
    assertEquals(silent.code, 1);
    assertMatch(silent.output, /did not respond: nothing is listening on that port/);
  });

  it("rejects addresses that no server can have", async () => {
    const issuer = ["--issuer", "http://localhost:9000/a"];
    const args = ["doctor", ...issuer, "--back-channel", "http://hallpass:9000/b"];
    const { code, output } = await runProgram(args);
    assertEquals(code, 2);
    assertMatch(output, /backChannelUrl must have the path of the issuer, '\/a'; it has '\/b'/);
  });

  it("P4: visits the host for certificates, too", async () => {
    const lab = await startCommandLine(["lab", "--port", "0"]);
    const mtls = { url: "https://mtls.invalid" };
    const HALLPASS_CONFIG_JSON = JSON.stringify({ issuer: lab.issuer, mtls });
    const { code, output } = await runCommandLine(["doctor"], { HALLPASS_CONFIG_JSON });
    await lab.stop();
    assertMatch(output, /https:\/\/mtls\.invalid: the name 'mtls\.invalid' does not resolve here/);
    assertEquals(code, 1);
  });

  it("advises no lab to a configuration with a store", async () => {
    const store = "sqlite:./a-file-that-does-not-exist.db";
    const { output } = await runCommandLine(["doctor", "--port", "1", "--store", store]);
    assert(!output.includes("hallpass lab"), output);
  });

  it("advises a lab that works for both sides", async () => {
    const first = await startProgram(["lab", "--port", "0"]);
    await first.stop();
    const port = Number(new URL(first.issuer).port);
    const [, args = ""] = /^ {2}hallpass (lab .*) TOKEN$/m.exec(advise(first.issuer, port)) ?? [];
    await using lab = await startProgram([...args.split(" "), labToken]);
    const url = `http://localhost:${port}/.well-known/openid-configuration`;
    const metadata = await (await fetch(url)).json();
    assertEquals(metadata.issuer, `http://hallpass:${port}`);
    assertEquals(metadata.authorization_endpoint, `http://localhost:${port}/oauth2/authorize`);
    assertEquals(metadata.token_endpoint, `http://hallpass:${port}/oauth2/token`);
    assert(!/warning: The server listens/.test(lab.output()), lab.output());
  });
});

describe("hallpass lab with --expose", () => {
  it("warns if its address means another machine there", async () => {
    const options = ["--expose", "--lab-token", labToken];
    await using lab = await startProgram(["lab", "--port", "0", ...options]);
    assertMatch(
      lab.output(),
      /warning: The server listens on 0\.0\.0\.0, but sends applications to http:\/\/localhost:\d+.*hallpass doctor/,
    );
  });
});

function caused(message: string, code?: string): Error {
  const cause = Object.assign(new Error(message), code && { code });
  return new TypeError("fetch failed", { cause });
}
