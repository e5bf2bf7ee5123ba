import type { TestLab } from "../../../../src/lab/testing/mod.ts";

/** Ends the session of a browser on the account page. Logout tokens are sent in the background. */
export async function endLabSession(
  lab: Pick<TestLab, "issuer" | "fetch">,
  cookies: ReadonlyMap<string, string>,
): Promise<void> {
  const Cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
  const page = await (await lab.fetch(`${lab.issuer}/account`, { headers: { Cookie } })).text();
  const form = /action="[^"]*\/sign-out"[\s\S]*?name="([^"]*)" value="([^"]*)"/.exec(page);
  await lab.fetch(`${lab.issuer}/sign-out`, {
    method: "POST",
    headers: { Cookie, Origin: lab.issuer },
    body: new URLSearchParams({ [form?.[1] ?? ""]: form?.[2] ?? "" }),
  });
}
