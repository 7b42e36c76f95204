export const GEAR_MAX = 500;
