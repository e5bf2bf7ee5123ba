import { hallpass } from "hallpass/testing";

export async function openProvider(audience: string) {
  const lab = await hallpass({ listen: true, paths: { jwks: "/jwks" } });
  const mint = async (sub: string, claims = {}) =>
    (await lab.mint({ sub, audience, claims })).token;
  return { issuer: lab.issuer, jwksUri: `${lab.issuer}/jwks`, mint, close: lab.close };
}
