export const DISPLAY_NAME_MAX = 100;
export const ABOUT_MAX = 160;
