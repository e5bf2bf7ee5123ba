import { isActive } from "../activity.ts";
import { type Answer, answerOf } from "../answers.ts";
import { type Credential, type CredentialKind, isIssued } from "../credentials.ts";
import { credentialOf, type Operation } from "../operation.ts";
import { authorizationPath, postForm } from "../requests.ts";
import type { NodeResponse, ServerNode } from "../server_node.ts";
import type { World } from "../world.ts";

const allowDevice = "allow device";

/** The authorizations of the world that dora gave to `app`. */
const oldAuthorizations = new Set(["first", "second", "offline", "device"]);

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
      const allowed = { ...fields, decision: "allow" };
      return answerWithCode("allow", await postForm(node, cookies, path, allowed));
    },
  },
  {
    name: allowDevice,
    needs: ["session", "client"],
    spends: "decision about the device",
    async run(node, world) {
      const { cookies, deviceCode, forms: { device: { path, fields } } } = world;
      const answer = answerOf(
        await postForm(node, cookies, path, { ...fields, decision: "allow" }),
      );
      return answerOnPage(answer, [newCredential("device code", deviceCode, allowDevice)]);
    },
  },
  {
    name: "deny device",
    needs: ["session", "client"],
    spends: "decision about the device",
    async run(node, { cookies, forms: { deviceInOtherTab: { path, fields } } }) {
      return answerOnPage(
        answerOf(await postForm(node, cookies, path, { ...fields, decision: "deny" })),
      );
    },
  },
  {
    name: "withdraw consent",
    needs: ["session"],
    ends: (credential) =>
      isAllowedToApp(credential) && oldAuthorizations.has(credential.authorization ?? ""),
    // A consent page may have brought the consent back, and a device has a consent of its own.
    endsWhileItHolds: (credential) =>
      isAllowedToApp(credential) && credential.authorization !== allowDevice,
    mayEnd: (credential) => credential.name === "consent" || isAllowedToApp(credential),
    holds: async (node, world) => !await isActive(node, credentialOf(world, "consent")),
    undoneBy: ["allow"],
    async run(node, world) {
      const { cookies, forms: { withdrawal: { path, fields } } } = world;
      const answer = answerOf(await postForm(node, cookies, path, fields));
      return answer.outcome === "done" ? await answerOnAccount(node, world, answer) : answer;
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
  if (code !== undefined) {
    return { ...answer, issued: [newCredential("code", code, authorization)] };
  }
  return { ...answer, outcome: answer.outcome === "done" ? "refused" : answer.outcome };
}

/** The account page tells whether the user was signed in: it asks for a sign-in otherwise. */
async function answerOnAccount(node: ServerNode, world: World, answer: Answer): Promise<Answer> {
  try {
    return await isActive(node, credentialOf(world, "session"))
      ? answer
      : { ...answer, outcome: "refused" };
  } catch {
    return { ...answer, outcome: "unavailable" };
  }
}

/** Reads a response that is a page when all went well, and a redirect to another page otherwise. */
function answerOnPage(answer: Answer, issued: Credential[] = []): Answer {
  if (answer.outcome !== "done") return answer;
  if (answer.details.startsWith("200")) return { ...answer, issued };
  return { ...answer, outcome: "refused" };
}

function newCredential(kind: CredentialKind, value: string, authorization: string): Credential {
  const name = `${kind} of '${authorization}'`;
  const parties = { client: "app", user: "dora", session: "dora" } as const;
  return { ...parties, name, kind, value, authorization, isNew: true };
}
