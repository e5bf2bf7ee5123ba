import { handlers } from "../../../../auth.ts";

export const { GET, POST } = handlers;
