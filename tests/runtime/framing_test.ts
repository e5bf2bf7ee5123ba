import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { serve } from "../../src/runtime/serve.ts";
import { createServer } from "../../src/server/mod.ts";
import malformedFraming from "../corpora/malformed_framing.json" with { type: "json" };
import { exchangeBytes } from "../support/raw_connection.ts";

/** Bytes that are almost a request, each character a byte. */
interface MalformedFraming {
  what: string;
  text?: string;
  pieces?: Array<[text: string, times: number]>;
}

const corpus = malformedFraming as unknown as MalformedFraming[];

/** Statuses for what a runtime does not know: a transfer encoding, a version of HTTP. */
const unknownThings = [501, 505];

function bytesOf({ text = "", pieces = [] }: MalformedFraming): string {
  return text + pieces.map(([piece, times]) => piece.repeat(times)).join("");
}

function statusesIn(received: string): number[] {
  return [...received.matchAll(/(?:^|\r\n)HTTP\/1\.[01] (\d{3})/g)].map(([, text]) => Number(text));
}

describe("A listening server, and bytes that are almost a request (RFC 9112)", () => {
  it("has a corpus of at least 60", () => {
    assert(corpus.length >= 60, `${corpus.length}`);
  });

  it("answers none with a 5xx of ours, handles nothing that was smuggled, and goes on", async () => {
    const lab = createServer({ issuer: "http://localhost:9000" });
    const handled: string[] = [];
    const fetch = (request: Request) => {
      handled.push(request.url);
      return lab.fetch(request);
    };
    const listening = await serve({ fetch }, { port: 0 });
    try {
      for (const framing of corpus) {
        handled.length = 0;
        const received = await exchangeBytes(listening.port, bytesOf(framing));
        const failures = statusesIn(received)
          .filter((status) => status >= 500 && !unknownThings.includes(status));
        const smuggled = handled.filter((url) => url.includes("/smuggled"));
        assertEquals([framing.what, failures, smuggled], [framing.what, [], []]);
      }
      const health = await exchangeBytes(
        listening.port,
        "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      );
      assertEquals(statusesIn(health), [200]);
    } finally {
      await listening.close();
      await lab.close();
    }
  });
});
