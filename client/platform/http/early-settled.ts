let asked: Promise<unknown> = Promise.resolve();

/** Settles when the early answers are here, or never will be. Apart from them, which visitors don't load. */
export const earlySettled = (): Promise<unknown> => asked;

export const settlesWith = (answers: Promise<unknown>): void => void (asked = answers);
