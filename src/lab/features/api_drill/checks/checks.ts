import { checksOf } from "../../../findings/sentences.ts";
import type { ApiCheck } from "../api_check.ts";
import { boundTokenChecks } from "./bound_token_checks.ts";
import { bypassChecks } from "./bypass_checks.ts";
import { failingChecks } from "./failing_checks.ts";
import { ledChecks } from "./led_checks.ts";
import { observedChecks } from "./observed_checks.ts";
import { requestChecks } from "./request_checks.ts";
import { responseChecks } from "./response_checks.ts";
import { scopeChecks } from "./scope_checks.ts";
import { signatureChecks } from "./signature_checks.ts";
import { tokenChecks } from "./token_checks.ts";
import { newKeyCheck, validChecks } from "./valid_checks.ts";

/** All that a drill finds out about an API, in order. */
export const apiChecks: readonly ApiCheck[] = checksOf<ApiCheck>({
  new_key: newKeyCheck,
  ...tokenChecks,
  ...signatureChecks,
  ...ledChecks,
  ...scopeChecks,
  ...boundTokenChecks,
  ...requestChecks,
  ...bypassChecks,
  ...validChecks,
  ...observedChecks,
  ...failingChecks,
  ...responseChecks,
});
