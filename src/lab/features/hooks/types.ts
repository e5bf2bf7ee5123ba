export type {
  Hook,
  HookChange,
  HookDrafts,
  HookPoint,
  HookRequest,
  HookScope,
  HookTools,
  ResponseDraft,
  UserinfoDraft,
} from "./hook.ts";
