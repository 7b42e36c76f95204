export const FRAMES_MAX = 8;
