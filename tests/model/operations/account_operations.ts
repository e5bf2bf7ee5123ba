import { isActive } from "../activity.ts";
import { type Answer, answerOf } from "../answers.ts";
import { type Credential, isHeldByDora, isIssued } from "../credentials.ts";
import { credentialOf, type Operation } from "../operation.ts";
import { postForm } from "../requests.ts";
import type { NodeResponse, ServerNode } from "../server_node.ts";
import type { OpenForm, World } from "../world.ts";

const newPassword = "a new password of dora's own";

/** The authorizations of the world that dora gave to `app`. */
const oldAuthorizations = new Set(["first", "second", "offline", "device", "asked"]);

/** The authorizations with a consent of their own, which is not remembered. */
const ownConsents = new Set(["allow device", "allow request"]);

/** What dora does on her account page. */
export const accountOperations: readonly Operation[] = [
  {
    name: "withdraw consent",
    needs: ["session"],
    ends: (credential) =>
      isAllowedToApp(credential) && oldAuthorizations.has(credential.authorization ?? ""),
    // A consent page may have brought the consent back, and what a client polls for has its own.
    endsWhileItHolds: (credential) =>
      isAllowedToApp(credential) && !ownConsents.has(credential.authorization ?? ""),
    mayEnd: (credential) => credential.name === "consent" || isAllowedToApp(credential),
    holds: async (node, world) => !await isActive(node, credentialOf(world, "consent")),
    undoneBy: ["allow"],
    run: (node, world) => sendFromAccount(node, world, world.forms.withdrawal),
  },
  {
    name: "end other sessions",
    needs: ["session"],
    ends: ({ session }) => session === "elsewhere",
    run: (node, world) => sendFromAccount(node, world, world.forms.otherSessions),
  },
  {
    name: "change own password",
    needs: ["session", "user entry"],
    locks: ["user"],
    ends: (credential) => isHeldByDora(credential) && credential.session === "elsewhere",
    // The browser gets a new cookie for its session.
    mayEnd: (credential) =>
      credential.name === "session" ||
      (isHeldByDora(credential) && credential.session === "elsewhere"),
    async holds({ server: { context } }) {
      const user = await context.records.users.find("dora");
      const { verify } = context.settings.policies.passwords;
      return await verify(newPassword, user?.passwordHash ?? "");
    },
    undoneBy: ["set password", "remove user"],
    async run(node, { cookies, forms: { password: { path, fields } } }) {
      const response = await postForm(node, cookies, path, {
        ...fields,
        current_password: "dora",
        new_password: newPassword,
        repeated_password: newPassword,
      });
      return answerWithSession(response);
    },
  },
];

function isAllowedToApp(credential: Credential): boolean {
  return isIssued(credential) && credential.user === "dora" && credential.client === "app";
}

/** Sends a form of the account page, which is shown again, or a sign-in if there is no session. */
async function sendFromAccount(
  node: ServerNode,
  world: World,
  { path, fields }: OpenForm,
): Promise<Answer> {
  const answer = answerOf(await postForm(node, world.cookies, path, fields));
  if (answer.outcome !== "done") return answer;
  try {
    const isSignedIn = await isActive(node, credentialOf(world, "session"));
    return isSignedIn ? answer : { ...answer, outcome: "refused" };
  } catch {
    return { ...answer, outcome: "unavailable" };
  }
}

/** Reads the response to a new password. A redirect back to the form is a refusal. */
function answerWithSession(response: NodeResponse): Answer {
  const answer = answerOf(response);
  if (answer.outcome !== "done") return answer;
  if (response.location !== "/account") return { ...answer, outcome: "refused" };
  const session: Credential = {
    name: "session with the new password",
    kind: "session",
    value: response.cookies,
    client: "",
    user: "dora",
    isNew: true,
  };
  return { ...answer, issued: [session] };
}
