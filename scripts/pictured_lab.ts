import type { Lab } from "../src/lab/lab.ts";

/**
 * The time of the lab in the pictures of the README: it stands still, so that they stay the same.
 */
export const pictureTime = Date.UTC(2026, 0, 1, 12);

/** The pages in the pictures of the README, by the names of their files in `.github/`. */
export const pictures = ["home", "authorized", "refused"] as const;

/** The path of the flow in the picture. */
export const refusedFlowPath = "/lab/flows/flow-1";

/** Redeems the code of a callback as a client that mixed up its verifiers. */
export async function redeemWithWrongVerifier(lab: Lab, callback: string): Promise<void> {
  const code = new URL(callback).searchParams.get("code") ?? "";
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: `${lab.issuer}/authorized`,
    code_verifier: "w".repeat(43),
    client_id: "demo-spa",
  });
  await lab.fetch(new Request(`${lab.issuer}/oauth2/token`, { method: "POST", body }));
}
