import type { HeaderList, ResponseData } from "../../../server/http/response_data.ts";

/** A request that is refused, as the peer refuses it. */
export class MockRefusal extends Error {
  override readonly name = "MockRefusal";
  readonly code: string;
  readonly status: number;

  constructor(code: string, description: string, status = 400) {
    super(description);
    this.code = code;
    this.status = status;
  }
}

/** Responds with JSON. */
export function mockJson(body: unknown, status = 200, headers: HeaderList = []): ResponseData {
  const type = ["Content-Type", "application/json;charset=UTF-8"] as const;
  const noStore = ["Cache-Control", "no-store"] as const;
  return { status, headers: [type, noStore, ...headers], body: JSON.stringify(body, null, 2) };
}

/** Responds to a refusal. */
export function refusalResponse({ code, message, status }: MockRefusal): ResponseData {
  return mockJson({ error: code, error_description: message }, status);
}
