import { createEventMetrics } from "../../src/program/monitoring/event_metrics.ts";
import { formatAsJson, formatEvent } from "../../src/program/monitoring/log.ts";
import { createMetricRegistry } from "../../src/program/monitoring/registry.ts";
import type { ServerEventListener } from "../../src/server/config/events.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { formsOf } from "./credentials.ts";
import { everyFlowConfig } from "./every_flow.ts";
import { openStrictKit, read } from "./kit.ts";
import { type SecretPlace, secretPlaces } from "./secret_places.ts";

/**
 * The sender of metadata reads which of its values is not supported: it has to correct many members
 * at once. None of these is a credential.
 */
const isMetadata =
  /register (?:scope|token_endpoint_auth_method|subject_type|id_token_signed_response_alg)$/;

/** A server, and what looks for secrets in all that it tells others. */
export interface SecretWatch {
  places: readonly SecretPlace[];
  /** Sends a request with a secret. Returns where a part of it came out again, if it did. */
  leaks(place: SecretPlace, secret: string, part?: string): Promise<string | undefined>;
  /** Returns the metrics. */
  metrics(): string;
}

/** Opens a server as `hallpass serve` runs it, and watches its events, log, metrics and errors. */
export function watchForSecrets(): SecretWatch {
  const registry = createMetricRegistry();
  const count = createEventMetrics(registry, () => "/oauth2/token");
  const lines: string[] = [];
  const onEvent: ServerEventListener = (event, request) => {
    count(event, request);
    lines.push(JSON.stringify([event, request]), formatEvent(event, new Date(0), request));
    lines.push(formatAsJson(event, new Date(0), request));
  };
  const kit = openStrictKit({ ...everyFlowConfig, store: memoryStore(), onEvent });
  return {
    places: secretPlaces(kit),
    metrics: registry.format,
    async leaks({ name, request }, secret, part = secret) {
      lines.length = 0;
      const { status, headers, text } = await read(await kit.server.fetch(request(secret)));
      const events = lines.join("\n");
      if (containsSecret(events, part)) return `${name}: in the events or the log`;
      if (status < 400 || isMetadata.test(name)) return undefined;
      const error = JSON.stringify([...headers]) + text;
      return containsSecret(error, part) ? `${name}: in the error` : undefined;
    },
  };
}

/** Whether a text contains a secret in any spelling. */
export function containsSecret(text: string, secret: string): boolean {
  return formsOf(secret).some((form) => text.includes(form));
}
