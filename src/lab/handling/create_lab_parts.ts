import { secretTable } from "../../server/issuer/records/table.ts";
import { basePath } from "../../server/protocol/issuer_url.ts";
import { memoryStore } from "../../server/store/memory.ts";
import { once } from "../../server/util/time/promises.ts";
import type { Tenants } from "../core/core_lab.ts";
import type { DialectState } from "../dialect/create_dialect.ts";
import { type DialectAddress, dialectAddress } from "../dialect/dialect_address.ts";
import { checkPowers } from "../lab_server/check_lab_settings.ts";
import type { LabAnswers } from "../lab_server/lab_answers.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";
import {
  createReplaceableSettings,
  type ReplaceableSettings,
} from "../lab_server/replaceable_settings.ts";
import { createRestorableStore } from "../lab_server/restorable_store.ts";
import type { LabProbe } from "../layers/probe.ts";
import {
  clientDefaultsOf,
  clientLeniencyNames,
  leniencyNames,
  settingsChecks,
} from "../leniencies/leniencies.ts";
import type { SettingRules } from "../leniencies/leniency.ts";
import type { OnForget } from "../recording/examination_schedule.ts";
import { createLabEvents, type LabEvents } from "../recording/lab_event.ts";
import { createLabRecord, type RecordAround } from "../recording/lab_record.ts";
import { createAnswerForUser } from "../sign_in/answer_for_user.ts";
import { createClock, type RestorableClock } from "../util/clock.ts";
import { createSeededBytes } from "../util/seeded_bytes.ts";
import { createWaits } from "../util/waits.ts";
import { createLabMemory, forgetter } from "./lab_memory.ts";
import type { LabParts } from "./lab_parts.ts";
import { createLabHandsFree, noticeOf, unaskedUsers, userNamesOf } from "./unasked_users.ts";
import { createWrappedServer, wrappedConfig, type WrappedServerParts } from "./wrapped_server.ts";

/** What the server asks of the parts around it. */
type AnswersOnceOpen = Pick<WrappedServerParts, "answerForUser" | "notice" | "vouchForRedirect">;

/** The parts that follow a change of the settings. */
interface ConfiguredParts
  extends Pick<LabParts, "server">, Pick<PartsAround, "rules" | "outbound"> {}

/** What the parts of a lab get from around it. */
interface PartsAround {
  probe: LabProbe | undefined;
  outbound: WrappedServerParts["outbound"];
  /** The record of the lab around this one, if it is a tenant. */
  recordAround: RecordAround | undefined;
  /** Called with the kind and the id of each row that the server writes. */
  onWrite(kind: string, id: string): void;
  /** Called before recorded requests are forgotten. */
  onForget: OnForget;
  /** Returns what features answer the server. */
  answers(config: LabConfig): LabAnswers;
  /** What features know about settings. */
  rules: readonly SettingRules[];
}

export function createLabParts(
  config: LabConfig,
  tenants: Tenants,
  { onWrite, onForget, probe, outbound, recordAround: around, rules, answers }: PartsAround,
): LabParts {
  const { issuer, seed } = config;
  const events = createLabEvents(config);
  const clock = createEmittingClock(config.now, events);
  const seededBytes = seed === undefined ? undefined : createSeededBytes(seed);
  const randomBytes = seededBytes?.next;
  const record = createLabRecord({ issuer, events, onForget, around });
  const store = createRestorableStore(config.store ?? memoryStore(), onWrite);
  const clientDefaults = clientDefaultsOf(config, rules);
  const memory = createLabMemory(record, clock.now);
  const server = createWrappedServer(config, {
    ...answersOnceOpen(() => parts),
    ...{ clientDefaults, outbound, answers },
    unaskedSessions: memory.unaskedSessions,
    replaced: {
      store,
      now: clock.now,
      onEvent: events.emitServerEvent,
      ...randomBytes && { randomBytes },
    },
  });
  const currentConfig = () => settings.config();
  const handsFree = createLabHandsFree(config, { server, config: currentConfig });
  const settings = createLabSettings(config, { server, rules, outbound });
  const address = dialectAddress(issuer, config.dialect, config);
  const parts: LabParts = {
    ...memory,
    forgetTest: forgetter(memory),
    ...{ issuer, tenants, probe, record },
    ...{ server, settings, handsFree },
    config: currentConfig,
    ...{ events, clock, seededBytes },
    base: address.base,
    dialect: dialectLoader(config, address, { now: clock.now, seen: memory.seen }),
    clientDefaults,
    pagesUrl: pagesUrlOf(config),
    leniencies: () => leniencyNamesIn(parts, rules),
    waits: createWaits(),
    startedFlows: secretTable(store, "lab-flow", clock.now),
  };
  return parts;
}

/** Creates the clock of a lab, which emits an event when a test moves it. */
function createEmittingClock(
  machine: LabConfig["now"],
  { emitLabEvent }: LabEvents,
): RestorableClock {
  const clock: RestorableClock = createClock(machine, () => {
    const now = new Date(clock.now()).toISOString();
    emitLabEvent({ type: "clock.moved", now, frozen: clock.frozen });
  });
  return clock;
}

/** Returns what answers the server for the parts around it: it asks once the lab is open. */
function answersOnceOpen(partsOf: () => LabParts): AnswersOnceOpen {
  return {
    answerForUser: createAnswerForUser(() => unaskedUsers(partsOf())),
    notice: () => noticeOf(partsOf()),
    vouchForRedirect: (request) => partsOf().vouchedRequests.take(request),
  };
}

/** Creates the settings of a lab. Its server follows each change, if that passes the check. */
function createLabSettings(
  config: LabConfig,
  { server, rules, outbound }: ConfiguredParts,
): ReplaceableSettings {
  const check = (changed: LabConfig) =>
    checkPowers({
      ...changed,
      userNames: userNamesOf(server),
      takesAnyUser: server.unknownUsers !== undefined,
      scopeNames: server.current().context.hooks.addsScope ? undefined : server.configuredScopes(),
    }, settingsChecks(rules));
  check(config);
  return createReplaceableSettings(config, (changed) => {
    check({ ...changed, signIn: undefined });
    server.configure(wrappedConfig(changed, outbound));
  });
}

/** Loads the dialect with the first request. */
function dialectLoader(
  { dialect }: LabConfig,
  address: DialectAddress,
  state: DialectState,
): LabParts["dialect"] {
  return dialect && once(async () => {
    const { createDialect } = await import("../dialect/create_dialect.ts");
    return createDialect(dialect, address, state);
  });
}

function pagesUrlOf(
  { issuer, frontChannelUrl = issuer, controlApart = false, pagesUrl }: LabConfig,
): LabParts["pagesUrl"] {
  if (controlApart) return pagesUrl ?? (() => undefined);
  return () => `${basePath(frontChannelUrl)}/lab`;
}

function leniencyNamesIn(
  { config, server }: LabParts,
  rules: readonly SettingRules[],
): string[] {
  return [
    ...leniencyNames(config(), rules),
    ...clientLeniencyNames(server.clients.list()),
  ];
}
