// The grants that few clients use. They load together, with the first request for one of them.

export { jwtBearerGrant } from "./jwt_bearer.ts";
export { redeemWorkload } from "./workload.ts";
