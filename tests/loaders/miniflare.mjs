// Runs worker.js, bundled, in workerd. Prints the responses for metadata and for a token.
import { Miniflare } from "miniflare";
import { readFile } from "node:fs/promises";

const worker = new Miniflare({
  modules: true,
  compatibilityDate: "2025-01-01",
  script: await readFile(process.argv[2], "utf8"),
});
const metadata = await worker.dispatchFetch(
  "https://id.example/.well-known/openid-configuration",
);
const token = await worker.dispatchFetch("https://id.example/oauth2/token", {
  method: "POST",
  headers: {
    Authorization: `Basic ${btoa("service:a-secret-of-22-characters-and-more")}`,
    "Content-Type": "application/x-www-form-urlencoded",
  },
  body: "grant_type=client_credentials&scope=read",
});
const { issuer } = await metadata.json();
const { token_type } = await token.json();
console.log(JSON.stringify([issuer, token_type]));
await worker.dispose();
