import { isActive } from "../activity.ts";
import { type Answer, answerOf } from "../answers.ts";
import { type Credential, isIssued } from "../credentials.ts";
import { credentialOf, type Operation } from "../operation.ts";
import { authorizationPath, postForm } from "../requests.ts";
import type { NodeResponse } from "../server_node.ts";

/** The authorizations of the world that dora gave to `app`. */
const oldAuthorizations = new Set<string | undefined>(["first", "second", "offline"]);

/** What dora does in a browser in which she is signed in, and has allowed the client `app`. */
export const userOperations: readonly Operation[] = [
  {
    name: "authorize",
    needs: ["session", "consent", "client"],
    async run(node, { cookies }) {
      const headers = { Cookie: cookies };
      return answerWithCode("authorize", await node.send(authorizationPath("app"), { headers }));
    },
  },
  {
    name: "allow",
    needs: ["session", "consent", "client"],
    spends: "consent page",
    async run(node, { cookies, forms: { consent: { path, fields } } }) {
      return answerWithCode("allow", await postForm(node, cookies, path, fields));
    },
  },
  {
    name: "withdraw consent",
    needs: ["session"],
    ends: (credential) =>
      isAllowedToApp(credential) && oldAuthorizations.has(credential.authorization),
    // A consent page may have brought the consent back.
    endsWhileItHolds: isAllowedToApp,
    mayEnd: (credential) => credential.name === "consent" || isAllowedToApp(credential),
    holds: async (node, world) => !await isActive(node, credentialOf(world, "consent")),
    undoneBy: ["allow"],
    async run(node, world) {
      const { cookies, forms: { withdrawal: { path, fields } } } = world;
      const answer = answerOf(await postForm(node, cookies, path, fields));
      // The response leads to the account page, which asks a user to sign in who is not.
      if (await isActive(node, credentialOf(world, "session"))) return answer;
      return { ...answer, outcome: "refused" };
    },
  },
  {
    name: "sign out",
    ends: ({ session }) => session === "dora",
    async run(node, { cookies, forms: { signOut: { path, fields } } }) {
      return answerOf(await postForm(node, cookies, path, fields));
    },
  },
];

function isAllowedToApp(credential: Credential): boolean {
  return isIssued(credential) && credential.user === "dora" && credential.client === "app";
}

/** Reads an authorization response. A page that asks the user something is a refusal. */
function answerWithCode(authorization: string, response: NodeResponse): Answer {
  const code = /[?&]code=([^&]+)/.exec(response.location ?? "")?.[1];
  const answer = answerOf(response);
  if (code === undefined) {
    return { ...answer, outcome: answer.outcome === "done" ? "refused" : answer.outcome };
  }
  const issued: Credential = {
    name: `code of '${authorization}'`,
    kind: "code",
    value: code,
    client: "app",
    user: "dora",
    session: "dora",
    authorization,
    isNew: true,
  };
  return { ...answer, issued: [issued] };
}
