import { hallpass } from "hallpass/testing";
import { http } from "msw";
import { setupServer } from "msw/node";

export async function openProvider(redirectUri: string) {
  const lab = await hallpass({
    issuer: "https://id.example",
    signIn: "alice",
    clients: [{ id: "web", redirectUris: [redirectUri] }],
  });
  const network = setupServer(http.all(`${lab.issuer}/*`, ({ request }) => lab.fetch(request)));
  network.listen();
  const authorize = async (url: string) => (await lab.authorize(url)).callback;
  return { issuer: lab.issuer, authorize, close: async () => network.close() };
}
