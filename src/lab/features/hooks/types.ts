export type {
  Hook,
  HookChange,
  HookDrafts,
  HookPoint,
  HookRequest,
  HookScope,
  HookState,
  HookTools,
  ResponseDraft,
  UserinfoDraft,
} from "./hook.ts";
