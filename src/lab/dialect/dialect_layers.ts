import { type RequestLayers, respondWith } from "../layers/layer.ts";
import type { PendingExchange } from "../layers/pending_exchange.ts";
import type { WireRequest } from "../recording/exchange.ts";
import type { Recorder } from "../recording/recorder.ts";
import { refusalOf } from "../recording/refusal.ts";
import type { DialectTranslator } from "./create_dialect.ts";

/** Creates the layers that translate between the clients and the server, if a lab has a dialect. */
export function createDialectLayers(
  load: (() => Promise<DialectTranslator>) | undefined,
  recorder: Recorder,
): RequestLayers {
  if (!load) return {};
  return {
    async identify(exchange) {
      const dialect = await load();
      exchange.request = dialect.identify(exchange.request);
      const { endpoint } = exchange.request;
      if (endpoint !== undefined || dialect.serves(exchange.request)) exchange.kind = "protocol";
    },
    async change(exchange, next) {
      const dialect = await load();
      const { request, server, observer, learned } = exchange;
      const findAsked = () => findFirstRequest(exchange, recorder);
      const accounts = dialect.checkAccounts(server.context, findAsked);
      if (accounts) exchange.observer = { ...observer, refusals: { ofUser: accounts.refuseUser } };
      const own = await dialect.respond(server.context, request, learned);
      const response = own ? await respondWith(exchange, own) : await next();
      const refusal = refusalOf(learned);
      return await dialect.toClient({ server, request, refusal, findAsked, accounts }, response);
    },
    choose: ({ context }) => async (...wanted) => await (await load()).chooser(context)(...wanted),
    async translate(exchange, next) {
      const dialect = await load();
      const { request, server: { context }, observer } = exchange;
      exchange.serverRequest = await dialect.toServer(context, exchange.serverRequest, request);
      exchange.arrival = { ...exchange.arrival, sentTo: dialect.endpointUrlOf(request) };
      const refusals = { ...observer.refusals, ofRequest: dialect.errorFor(request) };
      exchange.observer = { ...observer, refusals };
      return await next();
    },
  };
}

/** Finds the request with which the flow of a request began. */
async function findFirstRequest(
  { request, findFlow }: PendingExchange,
  recorder: Recorder,
): Promise<WireRequest | undefined> {
  if (request.endpoint === "authorize") return request;
  const [first] = (await findFlow())?.steps ?? [];
  return recorder.all().find(({ id }) => id === first?.exchange)?.request;
}
