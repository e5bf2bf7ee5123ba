import { hallpass } from "hallpass/testing";

export async function openProvider(redirectUri: string) {
  return await hallpass({
    listen: true,
    signIn: "alice",
    clients: [{ id: "web", secret: "web-secret", redirectUris: [redirectUri] }],
    users: [{ name: "alice", claims: { name: "Alice Adler" } }],
  });
}
