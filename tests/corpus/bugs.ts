import type { ApiConfiguration } from "./broken/api.ts";
import type { ApplicationBug } from "./broken/bug.ts";
import { protocolBugs } from "./broken/protocol_bugs.ts";
import { sessionAndPageBugs } from "./broken/session_bugs.ts";
import type { Configuration } from "./broken/site.ts";

/** Every mistake of the application by hand but those that are held out. */
export const applicationBugs: readonly ApplicationBug[] = [...protocolBugs, ...sessionAndPageBugs];

/** Ways to build the application by hand, each of them correct. */
export const configurations: Readonly<Record<string, Configuration>> = {
  "by hand": {},
  "by hand, a public client": { client: "none" },
  "by hand, a nonce and no PKCE": { pkce: false },
  "by hand, PKCE and no nonce": { nonce: false },
  "by hand, form_post": { responseMode: "form_post" },
  "by hand, a signed response": { responseMode: "jwt" },
  "by hand, private_key_jwt and a pushed request": { client: "private_key_jwt", par: true },
  "by hand, DPoP": { dpop: true },
  "by hand, TLS instead of signatures": { signatures: false },
  "by hand, a recent sign-in": { maxAge: 300 },
  "by hand, no userinfo": { userinfo: false },
  "by hand, no refresh": { scope: "openid profile email" },
  "by hand, two providers": { otherIssuer: true },
  "by hand, two connections": { otherCallback: true },
};

/** Ways to build the API by hand, each of them correct. */
export const apiConfigurations: Readonly<Record<string, ApiConfiguration>> = {
  "by hand": {},
  "by hand, bearer tokens alone": { dpop: false },
  "by hand, opaque tokens": { introspects: true },
  "by hand, opaque bearer tokens": { introspects: true, dpop: false },
};

/** Of these, the history of a lab has changed what a drill said. */
export const ofHistory: readonly string[] = [
  "a wrong signature is logged, and the login goes on",
  "an ID token without a signature passes",
  "the state is a constant",
];
