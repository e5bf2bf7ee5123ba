import type { CoreLab } from "../../core/core_lab.ts";
import type { LabFeature } from "../../feature.ts";
import { unless } from "../../layers/layer.ts";
import { basicPair } from "../../recording/credentials.ts";
import type { WireRequest } from "../../recording/exchange.ts";
import { LabError } from "../../util/lab_error.ts";
import type { RefusedUri } from "./refused_uri.ts";

/** What pages do with a client that was refused because nobody knew it. */
export interface AddedClientInternals {
  /** Adds the client of a refused request. The first secret that it sends is its own. */
  addRefusedClient(refused: RefusedUri): void;
  /** Whether a client was added after a refusal. */
  isAddedByHand(client: string): boolean;
}

/** Clients that were unknown, and that a button added. */
export const addedClients: LabFeature<object, AddedClientInternals> = {
  name: "redirect_uris",
  open({ lab }) {
    let added: ReadonlyMap<string, { awaitsSecret: boolean }> = new Map();
    const set = (id: string, awaitsSecret: boolean) => {
      added = new Map(added).set(id, { awaitsSecret });
    };
    return {
      internals: {
        addRefusedClient({ client, uri, hasChallenge }) {
          lab().clients.put({
            id: client,
            redirectUris: [uri],
            // Without a challenge, only a client with a secret can sign in. Its own follows.
            ...!hasChallenge && { secret: crypto.randomUUID() },
          });
          set(client, true);
        },
        isAddedByHand: (client) => added.has(client),
      },
      layers: {
        admit: unless(
          ({ request: { client = "" } }) => !added.get(client)?.awaitsSecret,
          ({ request }, next) => {
            if (request.client !== undefined && takeSecret(lab(), request.client, request)) {
              set(request.client, false);
            }
            return next();
          },
        ),
      },
      remarks: () => ({
        leniencies: [...added.keys()].map((client) =>
          `client ${client}: added by hand after a refusal`
        ),
      }),
      state: {
        clear: () => void (added = new Map()),
        capture() {
          const captured = added;
          return () => void (added = captured);
        },
      },
    };
  },
};

/** Gives a client the secret of its request, if it sends one that a client can have. */
function takeSecret({ clients }: CoreLab, id: string, sent: WireRequest): boolean {
  const secret = basicPair(sent.headers["authorization"])?.secret ?? sent.form.get("client_secret");
  const client = clients.list().find((each) => each.id === id);
  if (!secret || !client) return false;
  try {
    clients.put({ ...client, secret });
    return true;
  } catch (cause) {
    if (cause instanceof LabError) return false;
    throw cause;
  }
}
