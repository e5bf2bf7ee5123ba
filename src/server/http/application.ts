import { createIncomingRequest, type IncomingRequest } from "./incoming_request.ts";
import { type ResponseData, toResponse } from "./response_data.ts";

/** Responds to requests of a listener, and to those of the platform. */
export interface Application<Data extends ResponseData = ResponseData> {
  respond: (request: IncomingRequest) => Promise<Data>;
  fetch: (request: Request) => Promise<Response>;
}

/**
 * Creates an application. This is the only place where its responses become those of the platform.
 */
export function createApplication<Data extends ResponseData>(
  respond: Application<Data>["respond"],
): Application<Data> {
  return {
    respond,
    fetch: async (request) => toResponse(await respond(createIncomingRequest(request))),
  };
}
