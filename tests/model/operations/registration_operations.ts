import { type Answer, answerOf } from "../answers.ts";
import { named } from "../credentials.ts";
import type { Operation } from "../operation.ts";
import { redirectUri, registerClient, sendJson } from "../requests.ts";
import type { NodeResponse, ServerNode } from "../server_node.ts";
import type { World } from "../world.ts";

/** What clients do that register themselves. */
export const registrationOperations: readonly Operation[] = [
  {
    name: "register",
    run: async (node) => answerWithClient(await registerClient(node, "New")),
  },
  changeOperation("change registration", "Changed", "rename registration"),
  changeOperation("rename registration", "Renamed", "change registration"),
  {
    name: "delete registration",
    needs: ["registration"],
    locks: ["registration"],
    ends: named("registration"),
    run: async (node, world) => answerOf(await sendToRegistration(node, world, "DELETE")),
    holds: async ({ server: { context: { records } } }, { registration: { id } }) =>
      await records.clients.find(id) === undefined,
  },
];

function changeOperation(name: string, client_name: string, other: string): Operation {
  return {
    name,
    needs: ["registration"],
    locks: ["registration"],
    async run(node, world) {
      const { registration: { id } } = world;
      const metadata = { client_id: id, redirect_uris: [redirectUri], client_name };
      return answerOf(await sendToRegistration(node, world, "PUT", metadata));
    },
    holds: async ({ server: { context: { records } } }, { registration: { id } }) =>
      (await records.clients.find(id))?.name === client_name,
    undoneBy: [other, "delete registration"],
  };
}

function sendToRegistration(
  node: ServerNode,
  { registration: { id, token } }: World,
  method: string,
  body?: object,
): Promise<NodeResponse> {
  return sendJson(node, method, `/oauth2/register/${id}`, token, body);
}

function answerWithClient(response: NodeResponse): Answer {
  const id = response.body.client_id;
  if (id === undefined) return answerOf(response);
  return answerOf(response, [
    { name: "registered client", kind: "client", value: id, client: id, isNew: true },
  ]);
}
