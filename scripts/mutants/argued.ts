/** A breakage that no test can notice, and why. */
export interface ArguedSurvivor {
  file: string;
  /** The line as it stands in the file, trimmed. */
  line: string;
  what: string;
  why: string;
}

/** Breakages that change nothing that anyone could observe. */
export const argued: readonly ArguedSurvivor[] = [
  {
    file: "src/server/endpoints/interaction/decide_step.ts",
    line: 'if (step === "sign-in" || !signedIn) return { step: "sign-in", pending, client };',
    what: "|| became &&",
    why: "All that follows looks at the step first; the compiler wants to know the rest.",
  },
  {
    file: "src/server/http/router.ts",
    line: "if (path.length > maxComparedPath) return undefined;",
    what: "> became >=",
    why: "It only saves time, and none of our paths is nearly as long.",
  },
  {
    file: "src/server/store/sqlite/group_commit.ts",
    line: "if (!isLocked(cause) || deadline <= now()) throw cause;",
    what: "<= became <",
    why: "It makes the longest wait for a lock one millisecond longer.",
  },
  {
    file: "src/server/store/sqlite.ts",
    line: "if (swept > 0) await group.write(() => statements.vacuum.all());",
    what: "the condition became true",
    why: "It only saves time: there is nothing to give back after a sweep without a row.",
  },
  {
    file: "src/server/grants/token_exchange_rules.ts",
    line: "holds: (client) => !isPublic(client) && client.tokenExchange !== undefined,",
    what: "&& became ||",
    why:
      "The rules for clients refuse this grant without a policy, and a policy of a public client.",
  },
  {
    file: "src/server/protocol/presented_token.ts",
    line: "if (authorization === null) return undefined;",
    what: "the condition became false",
    why: "The word null begins with neither scheme.",
  },
  {
    file: "src/server/store/sqlite/backup.ts",
    line: 'if ("backup" in sqlite) await sqlite.backup(database, to, { rate: allPages });',
    what: "the condition became true",
    why: "All runtimes of the tests have it. The other way is for Node before 22.16.",
  },
  {
    file: "src/server/http/client_address.ts",
    line: "if (address === undefined || !isProxy(address)) return address;",
    what: "the condition became false",
    why: "It only saves time: the loop after it ends at once.",
  },
  {
    file: "src/server/http/response_data.ts",
    line: "if (names.size < listed.length) return [...new Headers(listed)];",
    what: "the condition became true",
    why: "It only saves time: the platform lists them in the same way.",
  },
  {
    file: "src/server/http/response_data.ts",
    line: "if (names.size < listed.length) return [...new Headers(listed)];",
    what: "< became <=",
    why: "It only saves time: the platform lists them in the same way.",
  },
  {
    file: "src/server/http/response_data.ts",
    line: "return listed.sort(([a], [b]) => a < b ? -1 : 1);",
    what: "< became <=",
    why: "No two names are equal there.",
  },
  {
    file: "src/server/protocol/acr.ts",
    line: "if (reached === undefined) return undefined;",
    what: "the condition became false",
    why: "No text equals an undefined value, which is not among the supported ones either.",
  },
  {
    file: "src/server/protocol/acr.ts",
    line:
      "return supported.includes(value) && supported.indexOf(value) < supported.indexOf(reached);",
    what: "< became <=",
    why: "A value that equals the reached one satisfies it by a condition before.",
  },
  {
    file: "src/server/protocol/client_authentication.ts",
    line: "for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);",
    what: "< became <=",
    why: "What is written beyond the end of a typed array is lost.",
  },
  {
    file: "src/server/protocol/dpop_rules.ts",
    line: 'return age > 0 ? "past" : "future";',
    what: "> became >=",
    why: "An age of zero is within the tolerance.",
  },
  {
    file: "src/server/protocol/form_parameters.ts",
    line:
      'const decoded = encoded.test(text) ? decodeURIComponent(text.replaceAll("+", " ")) : text;',
    what: "the condition became true",
    why: "It only saves time: a text without escapes is decoded to itself.",
  },
  {
    file: "src/server/store/sqlite.ts",
    line: "if (swept > 0) await group.write(() => statements.vacuum.all());",
    what: "> became >=",
    why: "It only saves time: there is nothing to give back after a sweep without a row.",
  },
  {
    file: "src/server/store/sqlite.ts",
    line: 'database.exec("PRAGMA synchronous = FULL");',
    what: "the call is gone",
    why: "It is the default of SQLite. Another build of it may have another.",
  },
  {
    file: "src/server/store/sqlite/schema.ts",
    line: "if (versionOf(database) === steps.length) return;",
    what: "the condition became false",
    why: "It only saves time: there is no step to run.",
  },
  {
    file: "src/server/store/sqlite/backup.ts",
    line: "syncFile(to);",
    what: "the call is gone",
    why: "Only a loss of power shows it.",
  },
  {
    file: "src/server/store/sqlite/backup.ts",
    line: "syncFolder(file);",
    what: "the call is gone",
    why: "Only a loss of power shows it.",
  },
  {
    file: "src/server/store/sqlite/backup.ts",
    line: "fsyncSync(descriptor);",
    what: "the call is gone",
    why: "Only a loss of power shows it.",
  },
  {
    file: "src/server/store/sqlite/restore.ts",
    line: "syncFile(prepared);",
    what: "the call is gone",
    why: "Only a loss of power shows it.",
  },
  {
    file: "src/server/store/sqlite/restore.ts",
    line: "syncFolder(path);",
    what: "the call is gone",
    why: "Only a loss of power shows it.",
  },
  {
    file: "src/server/store/sqlite/backup.ts",
    line: 'database.exec("PRAGMA busy_timeout = 5000");',
    what: "the call is gone",
    why: "On Deno it changes nothing. The same tests run on Node and Bun, where it does.",
  },
  {
    file: "src/server/store/sqlite/backup.ts",
    line: 'if ("backup" in sqlite) await sqlite.backup(database, to, { rate: allPages });',
    what: "the condition became false",
    why:
      "The other way makes the same copy. Only a program with few permissions fails, as in the test of its command.",
  },
  {
    file: "src/server/store/sqlite/backup.ts",
    line: 'else database.prepare("VACUUM INTO ?").run(to);',
    what: "the call is gone",
    why: "All runtimes of the tests have the other way. This one is for Node before 22.16.",
  },
  {
    file: "src/resource/private_key_jwt.ts",
    line: "return isCryptoKey(key) ? key as CryptoKey : await importJWK(key, alg);",
    what: "the condition became true",
    why: "The library imports a JWK itself, each time anew.",
  },
  {
    file: "src/server/issuer/admin/store_issuer.ts",
    line: "if (await records.issuers.find(id) === settings.issuer) return;",
    what: "the condition became false",
    why: "It only saves a write: the row is the same.",
  },
  {
    file: "src/server/issuer/clients/check_profile.ts",
    line: "if (profile.clientRules.length === 0) return;",
    what: "the condition became false",
    why: "It only saves time: without a rule, no client breaks one.",
  },
  {
    file: "src/server/issuer/clients/client_request.ts",
    line: 'if (!request.url.includes("?")) return undefined;',
    what: "the condition became false",
    why: "It only saves time: a URL without a query has no parameter.",
  },
  {
    file: "src/server/issuer/clients/document_cache.ts",
    line: "if (row && row.expiresAt >= until) return;",
    what: ">= became >",
    why: "It only saves a write: the row is the same.",
  },
  {
    file: "src/server/issuer/users/bearer_assertions.ts",
    line: "return name === undefined ? undefined : await findUser(ctx, name);",
    what: "the condition became false",
    why: "No user has an undefined name.",
  },
  {
    file: "src/server/issuer/outbound_requests.ts",
    line: "if (status < 300) return;",
    what: "< became <=",
    why: "A response with the status 300 was refused as a redirect before.",
  },
  {
    file: "src/server/issuer/keys/own_jwt.ts",
    line: "const header = typ === undefined ? { alg, kid } : { alg, typ, kid };",
    what: "the condition became false",
    why: "JSON leaves out a member that is undefined. The types of the library do not.",
  },
  {
    file: "src/server/issuer/tokens/access_tokens.ts",
    line: "if (verified) return await ctx.keys.find(verified.kid) ? verified.claims : undefined;",
    what: "the condition became false",
    why: "It only saves time: the token is verified again.",
  },
  {
    file: "src/server/issuer/request_context.ts",
    line:
      "if (settings.onEvent === ignoreEvents) return { ...ctx, request, sender, facts, rules: [] };",
    what: "the condition became false",
    why: "It only saves time: the events are ignored one by one.",
  },
  {
    file: "src/server/store/by_code_point.ts",
    line: "if (!highCodeUnits.test(a) || !highCodeUnits.test(b)) return a < b ? -1 : 1;",
    what: "the condition became false",
    why: "It only saves time: the comparison after it is right for all texts.",
  },
  {
    file: "src/server/store/by_code_point.ts",
    line: "if (!highCodeUnits.test(a) || !highCodeUnits.test(b)) return a < b ? -1 : 1;",
    what: "|| became &&",
    why: "It only saves time: the comparison after it is right for all texts.",
  },
  {
    file: "src/server/store/by_code_point.ts",
    line: "if (!highCodeUnits.test(a) || !highCodeUnits.test(b)) return a < b ? -1 : 1;",
    what: "< became <=",
    why: "Equal texts have been compared before.",
  },
  {
    file: "src/server/store/by_code_point.ts",
    line: "return sortKey(a) < sortKey(b) ? -1 : 1;",
    what: "< became <=",
    why: "Equal texts have been compared before.",
  },
  {
    file: "src/server/store/memory.ts",
    line: "if (ids.length < 2 * limit) continue;",
    what: "the condition became true",
    why: "It only saves time: all ids are sorted at the end.",
  },
  {
    file: "src/server/store/memory.ts",
    line: "if (ids.length < 2 * limit) continue;",
    what: "< became <=",
    why: "It only changes how many ids are sorted at once.",
  },
];
