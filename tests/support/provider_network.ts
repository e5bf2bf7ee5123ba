import type { ProviderNetwork } from "../../src/program/metadata/fetch_metadata.ts";

/** A network of providers that exists in a test alone, and what was asked of it. */
export interface FakeNetwork extends ProviderNetwork {
  /** The URLs that the user gave, or at their host. */
  given: string[];
  /** The URLs at other hosts. */
  named: string[];
}

/** Returns a network with some pages, by their URL. */
export function networkOf(pages: Readonly<Record<string, () => Response>>): FakeNetwork {
  const [given, named]: string[][] = [[], []];
  const fetchInto = (asked: string[] = []) => async (url: string) => {
    asked.push(url);
    return await pages[url]?.() ?? new Response("none", { status: 404 });
  };
  return {
    given: given ?? [],
    named: named ?? [],
    fetchGiven: fetchInto(given),
    fetchNamed: fetchInto(named),
  };
}

/** Returns a response with JSON. */
export function jsonPage(value: unknown): () => Response {
  return () => Response.json(value);
}
