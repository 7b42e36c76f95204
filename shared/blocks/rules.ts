export const BLOCK_REASON_MAX = 200;
