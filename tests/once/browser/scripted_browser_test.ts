import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { chromium as engine } from "playwright-core";
import { runDrill, selectTries } from "../../../src/lab/features/drill/drill.ts";
import { prepareLogin } from "../../../src/lab/features/drill/prepare_login.ts";
import { loginVariantsFor } from "../../../src/lab/features/drill/variants/variants.ts";
import type { DrilledLab } from "../../../src/lab/features/drill/watch_lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { chromium } from "../../support/chromium.ts";
import { scriptedBrowsers } from "./scripted_browser.ts";

const origin = "http://localhost:3000";
const issuer = "http://localhost:9000";

/** A page that only scripts fill. It compares the state, and believes each ID token. */
const page = `<!doctype html><title>Made by scripts</title><body><script type="module">
const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const show = (text, label, act) => {
  const button = Object.assign(document.createElement("button"), { innerText: label, onclick: act });
  document.body.append(text, button);
};
async function begin() {
  const verifier = crypto.randomUUID() + crypto.randomUUID();
  const state = crypto.randomUUID();
  Object.assign(localStorage, { verifier, state });
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  location.href = "${issuer}/oauth2/authorize?" + new URLSearchParams({
    response_type: "code", client_id: "scripts", redirect_uri: "${origin}/", state,
    scope: "openid profile", code_challenge_method: "S256", code_challenge: encode(digest),
  });
}
async function finish(code) {
  const body = new URLSearchParams({
    grant_type: "authorization_code", client_id: "scripts", redirect_uri: "${origin}/", code,
    code_verifier: localStorage.verifier,
  });
  const { id_token } = await (await fetch("${issuer}/oauth2/token", { method: "POST", body })).json();
  localStorage.user = JSON.parse(atob(id_token.split(".")[1])).name;
  location.replace("/");
}
const query = new URLSearchParams(location.search);
if (query.has("code") && query.get("state") === localStorage.state) await finish(query.get("code"));
else if (query.has("code")) show("Someone else began this", "Sign in", begin);
else if (localStorage.user) show("Hello " + localStorage.user, "Sign out", () => localStorage.clear());
else show("Welcome", "Sign in", begin);
</script>`;

describe("A browser with scripts, behind the interface of a drill", () => {
  it("signs in to a page made by scripts, under the same rows", {
    skip: chromium === undefined && "there is no Chromium",
  }, async () => {
    const lab = openLab({
      issuer,
      clients: [{ id: "scripts", redirectUris: [`${origin}/`] }],
    });
    const browser = await engine.launch({ executablePath: chromium!, args: ["--no-sandbox"] });
    try {
      const respond = (request: Request) =>
        request.url.startsWith(issuer)
          ? lab.fetch(request)
          : Promise.resolve(new Response(page, { headers: { "Content-Type": "text/html" } }));
      const drilled = lab as unknown as DrilledLab;
      const visited = await prepareLogin(drilled, { start: `${origin}/` }, {
        origins: [],
        steps: [],
        open: scriptedBrowsers(browser, respond),
      });
      const only = ["callback.wrong_state", "id_token.wrong_iss"] as const;
      const { outcomes } = await runDrill(drilled, visited.login, {
        ...selectTries([...only], loginVariantsFor([])),
        visited,
        mark: (findings) => [...findings],
        onProgress: () => {},
        isStopped: () => false,
        wait: () => Promise.resolve(),
      });
      assertEquals(outcomes.map(({ fault, outcome }) => [fault, outcome]), [
        ["callback.wrong_state", "refused"],
        ["id_token.wrong_iss", "accepted"],
      ]);
    } finally {
      await browser.close();
      await lab.close();
    }
  });
});
