import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { changeRequest } from "../../src/lab/recording/wire_request.ts";
import {
  createIncomingRequest,
  type IncomingRequest,
} from "../../src/server/http/incoming_request.ts";

const url = "https://id.example/token";
const known = { peer: "192.0.2.1", certificates: [new Uint8Array([48])] };

function knownAbout({ peer, certificates }: IncomingRequest): unknown {
  return { peer, certificates };
}

describe("createIncomingRequest", () => {
  it("knows what the listener knows about the peer", () => {
    const incoming = createIncomingRequest(new Request(url), known);
    assertEquals(knownAbout(incoming), known);
  });

  it("passes it on to an application that gets only the request", async () => {
    const request = await createIncomingRequest(new Request(url), known).toRequest();
    const passedOn = createIncomingRequest(request);
    assertEquals(knownAbout(passedOn), known);
  });

  it("keeps it when the lab changes the request", () => {
    const changed = changeRequest(createIncomingRequest(new Request(url), known), {
      url,
      headers: {},
    });
    assertEquals(knownAbout(changed), known);
  });
});
