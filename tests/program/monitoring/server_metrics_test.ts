import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { storeContract } from "../../../src/lab/testing/store_contract.ts";
import { createClientLabel } from "../../../src/program/monitoring/event_metrics.ts";
import { createMetrics, type Metrics } from "../../../src/program/monitoring/metrics.ts";
import type { RequestFacts } from "../../../src/server/config/events.ts";
import type { Config } from "../../../src/server/features.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { findCredentials } from "../../support/credentials.ts";
import { everyFlowConfig, misuse } from "../../support/every_flow.ts";
import { itWith } from "../../support/it_with.ts";
import { basic, type Kit, openStrictKit } from "../../support/kit.ts";
import { openNotingKit, runEveryFlow } from "../../support/noting_kit.ts";
import { register } from "../../support/registration.ts";
import { failingStore } from "../../support/stores.ts";

const it = itWith({ withMetered: () => openMetered() });

const web = basic("web", "a-secret-of-the-web-client-with-44-characters");

/** A sample, or a comment, of the text format. */
const line =
  /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="([^"\\\n]|\\.)*"(,[a-z]+="([^"\\\n]|\\.)*")*\})? [\d.e+-]+)$/;

interface MeteredKit {
  kit: Kit;
  metrics: Metrics;
}

function openMetered(config: Partial<Config> = {}, store = memoryStore()): MeteredKit {
  const metrics = createMetrics(true);
  const { onEvent } = metrics;
  const kit = openStrictKit({
    ...everyFlowConfig,
    store: metrics.meter(store),
    onEvent,
    ...config,
  });
  metrics.observe(() => kit.server.context);
  return { kit, metrics };
}

async function read({ metrics }: Pick<MeteredKit, "metrics">): Promise<string> {
  const response = await metrics.fetch(new Request("http://localhost:9464/metrics"));
  assertEquals(response.headers.get("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  return await response.text();
}

/** Returns the value of a sample; undefined if there is none. */
function valueOf(text: string, sample: string): number | undefined {
  const found = text.split("\n").find((each) => each.startsWith(`${sample} `));
  return found === undefined ? undefined : Number(found.slice(sample.length + 1));
}

describe("The metrics of a server", () => {
  it.withMetered("count token requests by grant, client and result", async (metered) => {
    const { kit } = metered;
    const grant = { grant_type: "client_credentials" };
    await kit.token(grant, web);
    await kit.token({ ...grant, scope: "nothing" }, web);
    await kit.token({ grant_type: "made-up" }, web);
    await kit.token(grant, basic("nobody", "secret"));
    const text = await read(metered);
    const count = (labels: string) => valueOf(text, `hallpass_token_requests_total{${labels}}`);
    assertEquals(count('grant="client_credentials",client="web",result="issued"'), 1);
    assertEquals(count('grant="client_credentials",client="web",result="invalid_scope"'), 1);
    assertEquals(count('grant="unknown",client="web",result="unsupported_grant_type"'), 1);
    assertEquals(count('grant="unknown",client="none",result="invalid_client"'), 1);
    assertEquals(
      valueOf(text, 'hallpass_refusals_total{error="invalid_scope",rule="scope.allowed"}'),
      1,
    );
  });

  it("name a client of the store, and count those that registered themselves together", async () => {
    const metered = openMetered({ registration: "open" });
    const { kit } = metered;
    const secret = "a-secret-of-the-batch-client";
    await addClient(kit.server.context, { id: "batch", secret });
    const { body } = await register(kit, { redirect_uris: ["https://app.example/cb"] });
    const grant = { grant_type: "client_credentials" };
    await kit.token(grant, basic("batch", secret));
    await kit.token(grant, basic(body.client_id, body.client_secret));
    const text = await read(metered);
    const labels = [...text.matchAll(/hallpass_token_requests_total\{.*client="(\w+)"/g)];
    assertEquals(labels.map(([, client]) => client).toSorted(), ["batch", "registered"]);
  });

  it.withMetered("count and measure requests by route, never by path", async (metered) => {
    await metered.kit.authorize({}, { password: "correct horse battery staple" });
    await metered.kit.get("/a-path-of-a-scanner");
    const text = await read(metered);
    const handled = 'path="/oauth2/interaction/:id/consent",method="POST",status="303"';
    assertEquals(valueOf(text, `hallpass_requests_total{${handled}}`), 1);
    const unknown = 'path="unknown",method="GET",status="404"';
    assertEquals(valueOf(text, `hallpass_requests_total{${unknown}}`), 1);
    const count = 'hallpass_request_duration_seconds_count{path="/oauth2/authorize"}';
    assertEquals(valueOf(text, count), 1);
    assert(!text.includes("scanner"), text);
  });

  it.withMetered("count sign-ins", async (metered) => {
    const password = "correct horse battery staple";
    await metered.kit.authorize({}, { password });
    await metered.kit.browser().authorize(metered.kit.authorizationUrl(), { password: "wrong" })
      .catch(() => {});
    const text = await read(metered);
    assertEquals(valueOf(text, 'hallpass_sign_ins_total{result="succeeded"}'), 1);
    assert(valueOf(text, 'hallpass_sign_ins_total{result="failed"}'));
  });

  it("count calls of the store, and those that fail", async () => {
    const store = failingStore();
    const metered = openMetered({}, store);
    const grant = { grant_type: "client_credentials" };
    await metered.kit.token(grant, web);
    store.failing.add("put");
    await metered.kit.token(grant, web);
    const text = await read(metered);
    assertEquals(valueOf(text, 'hallpass_store_calls_total{call="put",result="failed"}'), 1);
    assert(valueOf(text, 'hallpass_store_calls_total{call="put",result="succeeded"}'));
    assert(valueOf(text, 'hallpass_store_call_duration_seconds_count{call="put"}'));
    assert(valueOf(text, "hallpass_store_rows"));
  });

  it.withMetered("show the age of the key that signs", async (metered) => {
    await metered.kit.get("/oauth2/jwks");
    metered.kit.clock.advance(3600);
    const text = await read(metered);
    assertEquals(valueOf(text, 'hallpass_signing_key_age_seconds{alg="RS256"}'), 3600);
    assertEquals(valueOf(text, 'hallpass_signing_keys{alg="RS256",state="active"}'), 1);
  });

  it.withMetered("count the work in the background", async (metered) => {
    const { context } = metered.kit.server;
    metered.kit.clock.advance(60);
    await metered.kit.get("/health");
    await context.background.idle();
    const text = await read(metered);
    const sweeps = 'hallpass_background_runs_total{task="sweep",result="finished"}';
    assertEquals(valueOf(text, sweeps), 1);
    assert(valueOf(text, 'hallpass_background_last_success_timestamp_seconds{task="keys"}'));
  });

  it("L13: are well-formed and contain no credential, whatever is sent", async () => {
    const metrics = createMetrics(true);
    const { onEvent } = metrics;
    const { kit, credentials } = openNotingKit(metrics.meter(memoryStore()), { onEvent });
    metrics.observe(() => kit.server.context);
    await runEveryFlow(kit);
    await misuse(kit, [...credentials.keys()]);
    const text = await read({ metrics });
    assertEquals(text.trimEnd().split("\n").filter((each) => !line.test(each)), []);
    assertEquals(findCredentials(text, credentials), []);
  });

  it("are served even if the store fails", async () => {
    const store = failingStore();
    const metered = openMetered({}, store);
    store.failing.add("list").add("size");
    const text = await read(metered);
    assert(valueOf(text, "process_resident_memory_bytes"));
    assertEquals(valueOf(text, "hallpass_store_rows"), undefined);
  });
});

describe("The label of a client", () => {
  const label = createClientLabel();
  const cases: Record<string, [facts: RequestFacts, expected: string]> = {
    "is the id of a configured client": [{ client: "web", clientKind: "configured" }, "web"],
    "is the id of a stored client": [{ client: "wiki", clientKind: "stored" }, "wiki"],
    "is the same for all registered clients": [{
      client: "made-up-by-a-stranger",
      clientKind: "registered",
    }, "registered"],
    "is the same for all documents": [{
      client: "https://app.example/client.json",
      clientKind: "document",
    }, "document"],
    "is another one without a client": [{}, "none"],
  };
  for (const [what, [facts, expected]] of Object.entries(cases)) {
    it(what, () => assertEquals(label(facts), expected));
  }

  it("takes at most 200 values, and three for all others", () => {
    const many = createClientLabel();
    const labelOf = (n: number) => many({ client: `client-${n}`, clientKind: "stored" });
    const labels = new Set(Array.from({ length: 300 }, (_, n) => labelOf(n)));
    assertEquals([labels.size, labelOf(0), labelOf(299)], [201, "client-0", "other"]);
  });
});

describe("A store whose calls are counted", () => {
  for (const { name, check } of storeContract(() => createMetrics(true).meter(memoryStore()))) {
    it(name, check);
  }

  it("passes on what the store checks itself", async () => {
    const check = () => Promise.reject(new Error("The file was deleted."));
    const store = createMetrics(true).meter({ ...memoryStore(), check });
    await assertRejects(async () => await store.check?.(), Error, "deleted");
  });
});
