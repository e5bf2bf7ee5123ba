import { type Answer, answerOf } from "../answers.ts";
import { type Credential, newCredential, openRequest } from "../credentials.ts";
import type { Operation } from "../operation.ts";
import { authorizationPath, postForm } from "../requests.ts";
import type { NodeResponse } from "../server_node.ts";

const allowDevice = "allow device";
export const allowRequest = "allow request";

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
    needs: ["session", "consent", "client"],
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
    name: allowRequest,
    needs: ["session", "consent", "client", openRequest],
    spends: openRequest,
    async run(node, world) {
      const { cookies, authReqId, forms: { request: { path, fields } } } = world;
      const answer = answerOf(
        await postForm(node, cookies, path, { ...fields, decision: "allow" }),
      );
      return answerOnPage(answer, [newCredential("auth_req_id", authReqId, allowRequest)]);
    },
  },
  {
    name: "deny request",
    needs: ["session", "client", openRequest],
    spends: openRequest,
    async run(node, { cookies, forms: { requestInOtherTab: { path, fields } } }) {
      return answerOnPage(
        answerOf(await postForm(node, cookies, path, { ...fields, decision: "deny" })),
      );
    },
  },
  {
    name: "sign out",
    ends: ({ session }) => session === "here",
    // The session that comes with a new password may be another one.
    mayEnd: ({ session, kind, isNew }) =>
      session === "here" || (kind === "session" && isNew === true),
    async run(node, { cookies, forms: { signOut: { path, fields } } }) {
      return answerOf(await postForm(node, cookies, path, fields));
    },
  },
];

/** Reads an authorization response. A page that asks the user something is a refusal. */
function answerWithCode(authorization: string, response: NodeResponse): Answer {
  const code = /[?&]code=([^&]+)/.exec(response.location ?? "")?.[1];
  const answer = answerOf(response);
  if (code !== undefined) {
    return { ...answer, issued: [newCredential("code", code, authorization)] };
  }
  return { ...answer, outcome: answer.outcome === "done" ? "refused" : answer.outcome };
}

/** Reads a response that is a page when all went well, and a redirect to another page otherwise. */
function answerOnPage(answer: Answer, issued: Credential[] = []): Answer {
  if (answer.outcome !== "done") return answer;
  if (answer.details.startsWith("200")) return { ...answer, issued };
  return { ...answer, outcome: "refused" };
}
