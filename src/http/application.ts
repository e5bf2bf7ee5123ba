import { createIncomingRequest, type IncomingRequest } from "./incoming_request.ts";
import { type ResponseData, toResponse } from "./response_data.ts";

/** What responds to requests: to those of a listener, and to those of the platform. */
export interface Application<Data extends ResponseData = ResponseData> {
  respond: (request: IncomingRequest) => Promise<Data>;
  fetch: (request: Request) => Promise<Response>;
}

/** Creates an application. Only here, its responses become those of the platform. */
export function createApplication<Data extends ResponseData>(
  respond: Application<Data>["respond"],
): Application<Data> {
  return {
    respond,
    fetch: async (request) => toResponse(await respond(createIncomingRequest(request))),
  };
}
