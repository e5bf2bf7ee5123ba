import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { problemsOf } from "../../support/config_problems.ts";
import { openKit, openStrictKit } from "../../support/kit.ts";
import { app } from "./published_requests.ts";

const fetchUntrusted = () => Promise.resolve(new Response());

function problems(client: object, server: object = {}): readonly string[] {
  return problemsOf({
    issuer: "https://id.example",
    requestUris: true,
    fetchUntrusted,
    ...server,
    clients: [{ ...app, redirectUris: ["https://app.example/cb"], ...client }],
  });
}

describe("The setting requestUris", () => {
  const uris: Record<string, [uri: string, problem?: string]> = {
    "an https URL": ["https://app.example/r.jwt"],
    "one with a query and a hash": [`https://app.example/r?x=1#${"a".repeat(43)}`],
    "one on another origin": ["https://cdn.example/r.jwt"],
    "an http URL": [
      "http://app.example/r.jwt",
      "uses http with the host 'app.example', which is not loopback",
    ],
    "an http URL of this machine": ["http://localhost:3000/r.jwt", "is not an https URL"],
    "a file": ["file:///etc/passwd", "has the forbidden scheme 'file:'"],
    "a relative URL": ["/r.jwt", "is not an absolute URI"],
    "user information": ["https://a:b@app.example/r.jwt", "contains user information"],
    "too many characters": [
      `https://app.example/${"r".repeat(500)}`,
      "is longer than 512 characters",
    ],
  };
  for (const [what, [uri, problem]] of Object.entries(uris)) {
    it(`O16 ${problem ? "refuses" : "takes"} ${what}`, () => {
      const expected = problem ? [`clients[0].requestUris[0] ${problem}`] : [];
      assertEquals(problems({ requestUris: [uri] }), expected);
    });
  }

  it("O17 needs keys of the client", () => {
    assertEquals(problems({ jwks: undefined }), [
      "clients[0].jwks is missing, but the client signs request objects; set jwks or jwksUri",
    ]);
  });

  it("O18 needs a safe fetch, and a client needs the setting of the server", () => {
    assertEquals(problems({}, { fetchUntrusted: undefined }), [
      "requestUris needs fetchUntrusted, a safe way to fetch them; hallpass/serve has guardedFetch()",
    ]);
    assertEquals(problems({}, { requestUris: undefined }), [
      "clients[0].requestUris needs requestUris of the server, which is off",
    ]);
  });

  it("O16 is off in a server, and on in a lab that can fetch; the metadata says so", () => {
    const clients = [{ ...app, requestUris: [] }];
    const kits = [
      openStrictKit({ clients, fetchUntrusted }),
      openStrictKit({ clients, fetchUntrusted, requestUris: true }),
      openKit({ clients }),
      openKit({ clients, fetchUntrusted }),
      openKit({ clients, fetchUntrusted, requestUris: false }),
    ];
    const announced = kits.map(({ server }) => {
      const metadata = server.context.metadata();
      const { request_uri_parameter_supported, require_request_uri_registration } = metadata;
      return [request_uri_parameter_supported, require_request_uri_registration];
    });
    const [off, on] = [[false, undefined], [true, true]];
    assertEquals(announced, [off, on, off, on, off]);
  });
});
