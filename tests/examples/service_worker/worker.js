// A service worker that is an authorization server: a site with a login, and no server of its own.
import { createServer } from "hallpass";
import { installCookies, withCookies } from "./cookies.js";

installCookies();

const { origin } = self.location;
const issuer = `${origin}/id`;

const server = createServer({
  issuer,
  clients: [
    { id: "app", name: "Documents", redirectUris: [`${origin}/callback`] },
    { id: "service", secret: "a-secret-of-22-characters-and-more" },
  ],
  scopes: { openid: "Know who you are", read: "Read your documents" },
  users: [{ name: "alice", password: "wonderland" }],
});

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (isForServer(new URL(event.request.url))) {
    event.respondWith(server.fetch(withCookies(event.request)));
  }
});

function isForServer(url) {
  if (url.origin !== origin) return false;
  return /^\/(?:id\/|\.well-known\/[\w-]+\/id$)/.test(url.pathname);
}
