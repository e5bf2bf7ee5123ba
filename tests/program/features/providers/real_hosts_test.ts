import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "node:test";
import type { ProviderChoice } from "../../../../src/lab/features/providers/config.ts";
import type { Invocation } from "../../../../src/program/command_line/command.ts";
import { readRealHosts } from "../../../../src/program/features/providers/lab/plan_providers.ts";
import { hostLines, portAdvice } from "../../../../src/program/lab/real_hosts.ts";
import { explainListening } from "../../../../src/program/operate/listen_on.ts";
import { presetWith } from "../../../support/preset_with.ts";

const atHome = { issuer: undefined, hostname: "localhost" };

/** A command line with options, and no operands. */
function invoked(values: Record<string, string[]>): Invocation {
  return { values: new Map(Object.entries(values)), operands: [] } as unknown as Invocation;
}

const withHosts = invoked({ hosts: [] });

describe("The real hosts of a lab", () => {
  it("are none without --hosts", async () => {
    assertEquals(await readRealHosts(invoked({}), { ...atHome, provider: "google" }), undefined);
  });

  it("are those of its providers, which are in tenants", async () => {
    const providers: ProviderChoice[] = ["google", "github"];
    const hosts = await readRealHosts(withHosts, { ...atHome, providers });
    assertEquals(hosts?.lab, { provider: undefined, providers, hosts: true });
    assertEquals(hosts?.names.includes("oauth2.googleapis.com"), true);
    assertEquals(hosts?.names.slice(-2), ["github.com", "api.github.com"]);
    const one = await readRealHosts(invoked({}), { ...atHome, provider: "github", hosts: true });
    assertEquals(one?.lab.providers, ["github"]);
  });

  it("have the configured issuer, where customers have hosts of their own", async () => {
    for (const provider of ["auth0", presetWith({})] as ProviderChoice[]) {
      const issuer = "https://shop.eu.auth0.com/";
      const hosts = await readRealHosts(withHosts, { ...atHome, provider, issuer });
      assertEquals(hosts?.names, ["shop.eu.auth0.com"]);
      assertEquals(Object.values(hosts?.lab.hosts ?? {}), [issuer]);
    }
  });

  const refusals: Record<string, [invocation: Invocation, chosen: object, problem: RegExp]> = {
    "--expose": [invoked({ hosts: [], expose: [] }), { provider: "google" }, /this machine alone/],
    "another address": [withHosts, { hostname: "10.0.0.1" }, /this machine alone/],
    "no provider": [withHosts, {}, /--hosts needs the providers/],
    "no issuer": [withHosts, { provider: "okta" }, /cannot choose a host for okta.*--issuer/],
    "an issuer for several": [withHosts, {
      providers: ["okta", "auth0"],
      issuer: "https://a.example",
    }, /--issuer is that of the provider/],
  };
  for (const [what, [invocation, chosen, problem]] of Object.entries(refusals)) {
    it(`are refused with ${what}`, async () => {
      const error = await assertRejects(() => readRealHosts(invocation, { ...atHome, ...chosen }));
      assertMatch((error as Error).message, problem);
    });
  }
});

describe("The lines about real hosts", () => {
  const hosts = { names: ["github.com", "api.github.com"], keyHash: "aGFzaA==" };

  it("lead programs and a browser to the lab, and undo it", () => {
    const text = hostLines(hosts, "https://localhost").join("\n");
    for (
      const part of [
        "'127.0.0.1 github.com api.github.com # hallpass'",
        "'::1 github.com api.github.com # hallpass'",
        "sudo tee -a /etc/hosts",
        "sudo sed -i.bak '/# hallpass$/d' /etc/hosts",
        "--host-resolver-rules='MAP github.com 127.0.0.1:443, MAP api.github.com 127.0.0.1:443'",
        "--ignore-certificate-errors-spki-list=aGFzaA== https://localhost/",
      ]
    ) assertStringIncludes(text, part);
    assert(!text.includes("socat"));
  });

  it("lead port 443 to the one that the lab has", () => {
    const text = hostLines(hosts, "https://localhost:8443").join("\n");
    assertStringIncludes(text, "TCP-LISTEN:443,bind=127.0.0.1,fork,reuseaddr TCP:127.0.0.1:8443");
    assertStringIncludes(text, "MAP github.com 127.0.0.1:8443");
  });

  it("say what to do if the port cannot be opened", () => {
    const denied = Object.assign(new Error("permission denied"), { code: "EACCES" });
    const address = { hostname: "localhost", port: 443, advice: portAdvice };
    const text = explainListening(denied, address) ?? "";
    assertMatch(text, /^this user may not listen on port 443; on Linux, .*port_start=443\. Or /);
    assertMatch(text, /choose another with --port 8443, and lead port 443.*TCP:127\.0\.0\.1:8443$/);
    assertMatch(portAdvice(443, true), /^choose another with --port 8443/);
    assertMatch(portAdvice(8443, true), /^choose another with --port 9443/);
  });
});
