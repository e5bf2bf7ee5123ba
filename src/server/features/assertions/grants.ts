// Loaded on first use.

export { jwtBearerGrant } from "./jwt_bearer.ts";
export { proveWorkload } from "./redeem_workload.ts";
