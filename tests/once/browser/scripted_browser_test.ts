import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { chromium as engine } from "playwright-core";
import { type DrillName, type DrillResult, hallpass } from "../../../src/lab/testing/mod.ts";
import { chromium } from "../../support/chromium.ts";
import { openDrilledLab } from "../../support/drilled_application.ts";
import { scriptedPage } from "./scripted_page.ts";

const origin = "http://localhost:3000";
const issuer = "http://localhost:9000";

const page = scriptedPage({ issuer, origin, client: "scripts" });
const headers = { "Content-Type": "text/html" };
const client = { id: "scripts", redirectUris: [`${origin}/`] };
const rows: DrillName[] = ["callback.wrong_state", "id_token.wrong_iss"];

const skip = chromium === undefined && "there is no Chromium";

/** Returns what each row showed. */
function told({ outcomes }: DrillResult) {
  return outcomes.map(({ fault, outcome }) => [fault, outcome]);
}

const launch = () => engine.launch({ executablePath: chromium!, args: ["--no-sandbox"] });

/** Drills a page, and returns the result with the origins to which it led. */
async function drill(html: string, only: DrillName[]) {
  const visited = new Set<string>();
  await using browser = await launch();
  await using lab = await hallpass({
    issuer,
    clients: [client],
    fetch: (url) => {
      visited.add(new URL(url).origin);
      return Promise.resolve(new Response(html, { headers }));
    },
  });
  const result = await lab.drill({ start: `${origin}/`, browser }, only);
  return { result, visited: [...visited], contexts: browser.contexts() };
}

describe("A drill in a browser of Playwright", () => {
  it(
    "signs in to a page made by scripts, under the same rows, and leaves no context",
    { skip },
    async () => {
      const { result, contexts } = await drill(page, rows);
      assertEquals(told(result), [
        ["callback.wrong_state", "refused"],
        ["id_token.wrong_iss", "accepted"],
      ]);
      assertEquals(contexts, []);
    },
  );

  it("finds a page that ignores the state", { skip }, async () => {
    const careless = page.replace(` && query.get("state") === localStorage.state`, "");
    assertEquals(told((await drill(careless, ["callback.wrong_state"])).result), [
      ["callback.wrong_state", "accepted"],
    ]);
  });

  it("copies the session storage of a tab, and answers what goes to other origins", {
    skip,
  }, async () => {
    const foreign = "https://fonts.example";
    const own = page.replaceAll("localStorage", "sessionStorage");
    const asks = `${own}<img src=${foreign}/1><script src=${foreign}/2></script>`;
    const { result, visited } = await drill(asks, ["callback.wrong_state"]);
    assertEquals(told(result), [["callback.wrong_state", "refused"]]);
    assertEquals(visited, [origin]);
    assertEquals(result.verdict.notes.filter(({ id }) => id === "origins"), [
      { id: "origins", text: `Requests of its pages to ${foreign} got an empty response.` },
    ]);
  });

  it("finds the same in an application without scripts as a drill without it", {
    skip,
  }, async () => {
    await using browser = await launch();
    const { lab } = await openDrilledLab("careless");
    const only: DrillName[] = ["callback.wrong_state", "token.lost"];
    const given = { start: `${origin}/login`, check: `${origin}/` };
    assertEquals(
      told(await lab.drill({ ...given, browser }, only)),
      told(await lab.drill(given, only)),
    );
    await lab.close();
  });
});
