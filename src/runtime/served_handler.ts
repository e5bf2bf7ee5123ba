import { type Application, directHandlerOf, overloadOf } from "../server/http/application.ts";
import { transportSecurity } from "../server/http/response.ts";
import { addHeaders, type RequestHandler } from "./listen.ts";
import { withAdmission } from "./overload.ts";

/** What a listener calls. */
export interface ServedHandler {
  respond: RequestHandler;
  /** Notes that a connection was accepted. */
  noteConnection?(): void;
}

/**
 * Creates the handler of an application, which tells browsers to use only https if `isStrict`: with
 * a refusal, too.
 */
export function createServedHandler(
  application: Pick<Application, "fetch">,
  { isStrict }: { isStrict: boolean },
): ServedHandler {
  const respond = handlerOf(application);
  const overload = overloadOf(application.fetch);
  const handler: ServedHandler = overload
    ? withAdmission(respond, () => overloadOf(application.fetch) ?? overload)
    : { respond };
  if (!isStrict) return handler;
  return {
    ...handler,
    respond: async (request) =>
      addHeaders(await handler.respond(request), transportSecurity(request)),
  };
}

/**
 * Returns what responds to the requests of an application: its `fetch` at the time of each request.
 */
function handlerOf(application: Pick<Application, "fetch">): RequestHandler {
  return (request) => {
    const { fetch } = application;
    const passOn = async () => await fetch.call(application, await request.toRequest());
    return directHandlerOf(fetch)?.(request) ?? passOn();
  };
}
