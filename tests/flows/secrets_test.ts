import { assert, assertEquals } from "@std/assert";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { formatAsJson, formatEvent } from "../../src/program/monitoring/log.ts";
import type { ServerEventListener } from "../../src/server/config/events.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { sqliteStore } from "../../src/server/store/sqlite.ts";
import { featureFixtures } from "../features.ts";
import { type CredentialLog, findCredentials } from "../support/credentials.ts";
import { misuse, sendInEveryParameter } from "../support/every_flow.ts";
import { inFolder } from "../support/folder.ts";
import { type NotingKit, openNotingKit, runEveryFlow } from "../support/noting_kit.ts";
import { watchedStore } from "../support/stores.ts";
import { containsSecret, watchForSecrets } from "../support/watch_for_secrets.ts";

/** What pages must contain: their own form tokens, and the user code that the user compares. */
const shownByDesign = /^(?:form_token|user_code) /;

/** A secret that contains no separator: it is found in every spelling. */
const secret = "zqSecretOf43CharactersThatLooksLikeACredent";

type Run = NotingKit & { texts: string[] };

let run: Promise<Run> | undefined;

/** Returns the first credential of each kind. */
function oneOfEachKind(credentials: CredentialLog): string[] {
  return [...new Map([...credentials].map(([value, kind]) => [kind, value])).values()];
}

/** Runs everything once, for all tests that look at what is left. */
function afterEveryFlow(): Promise<Run> {
  return run ??= (async () => {
    const store = watchedStore();
    const noting = openNotingKit(store);
    await runEveryFlow(noting.kit);
    await misuse(noting.kit, [...noting.credentials.keys()]);
    return { ...noting, texts: store.texts };
  })();
}

describe("After every flow", () => {
  it("many kinds of credentials were seen", async () => {
    const seen = new Set((await afterEveryFlow()).credentials.values());
    const kinds = [
      ...["access_token", "refresh_token", "id_token", "code"],
      ...featureFixtures.flatMap((each) => each.credentials ?? []),
      ...["client_assertion"],
      ...["password", "cookie", "form_token", "Basic", "code_verifier"],
    ];
    assertEquals(kinds.filter((kind) => !seen.has(kind)), []);
  });

  it("L13: no write to the store has contained a credential", async () => {
    const { texts, credentials } = await afterEveryFlow();
    assertEquals(findCredentials(texts.join("\n"), credentials), []);
  });

  it("L13: no event contains a credential", async () => {
    const { kit, credentials } = await afterEveryFlow();
    assertEquals(findCredentials(JSON.stringify(kit.events), credentials), []);
  });

  it("L13: no line of the log contains a credential", async () => {
    const { kit, credentials } = await afterEveryFlow();
    const log = kit.events.map((event) => formatEvent(event, new Date(0))).join("\n");
    assertEquals(findCredentials(log, credentials), []);
  });

  it("no page contains a credential other than those it needs", async () => {
    const { pages, credentials } = await afterEveryFlow();
    // A response in the mode form_post is a page, too.
    const others = pages.filter((page) => !page.includes('name="code"'));
    const found = findCredentials(others.join("\n"), credentials);
    assertEquals(found.filter((each) => !shownByDesign.test(each)), []);
  });
});

describe("After a credential of each kind was sent in every parameter", () => {
  it("L13: no event and no line of the log contains one", async () => {
    const lines: string[] = [];
    // Each event has the same descriptions of rules, of which one is enough.
    const described = new Set<object>();
    const onEvent: ServerEventListener = (event, request) => {
      for (const { rule } of request?.rules ?? []) described.add(rule);
      const rules = request?.rules.map(({ rule, ...result }) => [rule.id, result]);
      lines.push(JSON.stringify([event, { ...request, rules }]));
      lines.push(formatEvent(event, new Date(0), request));
      lines.push(formatAsJson(event, new Date(0), request));
    };
    const { kit, credentials } = openNotingKit(memoryStore(), { onEvent });
    await runEveryFlow(kit);
    for (const value of oneOfEachKind(credentials)) await sendInEveryParameter(kit, value);
    assert(lines.filter((line) => line.includes("request.refused")).length > 1000);
    lines.push(JSON.stringify([...described]));
    assertEquals(findCredentials(lines.join("\n"), credentials), []);
  });
});

describe("After a secret was sent in every place of a request to every endpoint", () => {
  it("no event, line of the log, metric or error contains it", async () => {
    const watch = watchForSecrets();
    const found: Array<string | undefined> = [];
    for (const place of watch.places) found.push(await watch.leaks(place, secret));
    assertEquals(found.filter((each) => each !== undefined), []);
    assertEquals(containsSecret(watch.metrics(), secret), false);
    assert(watch.places.length > 1000);
  });
});

describe("The files of a SQLite store, after every flow", () => {
  it("L13: contain no credential", async () => {
    await inFolder(async (folder) => {
      const store = sqliteStore(join(folder, "hallpass.db"));
      const { kit, credentials } = openNotingKit(store);
      await runEveryFlow(kit);
      const files = await readdir(folder);
      assert(files.includes("hallpass.db-wal"));
      for (const file of files) {
        const text = await readFile(join(folder, file), "latin1");
        assertEquals(findCredentials(text, credentials), [], file);
      }
      await store.close();
    });
  });
});
